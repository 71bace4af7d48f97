import SpeechKit

/// An action as `--json` writes it, with the words of the file.
struct ActionRow: Encodable, Sendable {
  var id: String
  var name: String
  var isDefault: Bool
  var isArchived: Bool
  var prompt: String
  var system: String
  var output: OutputWord
  var schema: SendableValue?
  var formatting: [String]
  var after: [String]
  var variables: [String: String]
  var mode: ModeWord
  var hedgeAfterMilliseconds: Int?
  var isHedgeObserved: Bool?
  var connectors: [String]
  var retries: Int
  var deadlineMilliseconds: Int?
  var spendingCap: Double?
  var spendingPeriod: String?
  var cacheMilliseconds: Int?
  var privacy: String

  init(_ action: TextAction, in library: ActionLibrary) {
    let rule = action.routing
    id = action.id
    name = action.name
    isDefault = library.defaultID == action.id
    isArchived = action.isArchived
    prompt = action.prompt
    system = action.system
    output = OutputWord(action.output)
    if case .json(let value) = action.output { schema = value }
    formatting = action.formatting
    after = action.postProcessing.map(\.rawValue)
    variables = action.variables
    mode = ModeWord(rule.mode)
    if case .hedged(let delay) = rule.mode {
      switch delay {
      case .fixed(let time):
        (hedgeAfterMilliseconds, isHedgeObserved) = (time.wholeMilliseconds, false)
      case .observed(let time):
        (hedgeAfterMilliseconds, isHedgeObserved) = (time.wholeMilliseconds, true)
      }
    }
    connectors = rule.connectors
    retries = rule.retries
    deadlineMilliseconds = rule.deadline?.wholeMilliseconds
    spendingCap = rule.spendingCap?.amount
    spendingPeriod = rule.spendingCap?.period.rawValue
    cacheMilliseconds = rule.cacheLifetime?.wholeMilliseconds
    privacy = action.privacy.rawValue
  }
}

/// What an answer has to be, as the file and the command line say it.
enum OutputWord: String, CaseIterable, Sendable, Encodable {
  case text
  case markdown
  case sentencePairs = "sentence-pairs"
  case corrections
  case diff
  case json

  init(_ output: OutputExpectation) {
    switch output {
    case .text: self = .text
    case .markdown: self = .markdown
    case .sentencePairs: self = .sentencePairs
    case .corrections: self = .corrections
    case .diff: self = .diff
    case .json: self = .json
    }
  }
}

/// How several connectors are asked, as the file and the command line say it.
enum ModeWord: String, CaseIterable, Sendable, Encodable {
  case sequential
  case parallel
  case firstSuccess = "first-success"
  case hedged

  init(_ mode: RoutingRule.Mode) {
    switch mode {
    case .sequential: self = .sequential
    case .parallel: self = .parallel
    case .firstSuccess: self = .firstSuccess
    case .hedged: self = .hedged
    }
  }
}
