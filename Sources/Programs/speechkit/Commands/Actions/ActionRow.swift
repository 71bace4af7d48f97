import SpeechActions
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
    output = action.output.word
    if case .json(let value) = action.output { schema = value }
    formatting = action.formatting
    after = action.postProcessing.map(\.rawValue)
    variables = action.variables
    mode = rule.mode.word
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
