import AIServices
import Foundation
import SpeechActions

/// An action as the page shows and sends it.
struct ActionForm: Codable, Sendable {
  var id: String
  var name: String
  var prompt: String
  var system: String
  var output: String
  /// The schema as JSON, for an output of that kind.
  var schema: String
  var formatting: [String]
  var postProcessing: [String]
  var variables: [String: String]
  var mode: String
  /// After how many milliseconds a connector counts as late; where it goes by what was observed, as long
  /// as that is not enough.
  var hedgeMilliseconds: Int
  var hedgesByObservation: Bool
  var connectors: [String]
  var retries: Int
  var deadlineSeconds: Double?
  var spendingAmount: Double?
  var spendingPeriod: String
  var cacheSeconds: Double?
  var privacy: String
  var isArchived: Bool

  init(_ action: TextAction) {
    id = action.id
    name = action.name
    prompt = action.prompt
    system = action.system
    output = action.output.word.rawValue
    schema = Self.schema(of: action.output)
    formatting = action.formatting
    postProcessing = action.postProcessing.map(\.rawValue)
    variables = action.variables
    let routing = action.routing
    mode = routing.mode.word.rawValue
    (hedgeMilliseconds, hedgesByObservation) = Self.hedging(of: routing.mode)
    connectors = routing.connectors
    retries = routing.retries
    deadlineSeconds = routing.deadline.map { $0 / .seconds(1) }
    spendingAmount = routing.spendingCap?.amount
    spendingPeriod = (routing.spendingCap?.period ?? .run).rawValue
    cacheSeconds = routing.cacheLifetime.map { $0 / .seconds(1) }
    privacy = action.privacy.rawValue
    isArchived = action.isArchived
  }

  /// The action.
  ///
  /// - Throws: `APIError`; `ActionError.template`.
  func action() throws -> TextAction {
    for template in [prompt, system] { _ = try PromptTemplate(template) }
    var action = TextAction(id: id, name: name, prompt: prompt, system: system)
    action.output = try expectation()
    action.formatting = formatting.filter { !$0.allSatisfy(\.isWhitespace) }
    action.postProcessing = try postProcessing.map {
      try Self.choice($0, of: PostProcessing.self, "post-processing")
    }
    action.variables = variables
    action.routing = try routing()
    action.privacy = try Self.choice(privacy, of: PrivacyRule.self, "privacy")
    action.isArchived = isArchived
    return action
  }

  private func routing() throws -> RoutingRule {
    var rule = RoutingRule(connectors: connectors)
    switch ModeWord(rawValue: mode) {
    case .sequential: rule.mode = .sequential
    case .parallel: rule.mode = .parallel
    case .firstSuccess: rule.mode = .firstSuccess
    case .hedged:
      guard (1...600_000).contains(hedgeMilliseconds) else {
        throw APIError(422, "A connector counts as late after 1 to 600000 milliseconds.")
      }
      let delay = Duration.milliseconds(hedgeMilliseconds)
      rule.mode = .hedged(after: hedgesByObservation ? .observed(otherwise: delay) : .fixed(delay))
    case nil: throw APIError(422, "“\(mode)” is no way of asking connectors.")
    }
    guard (0...10).contains(retries) else {
      throw APIError(422, "A request is sent again 0 to 10 times.")
    }
    rule.retries = retries
    rule.deadline = try deadlineSeconds.map { try Self.seconds($0, "The deadline") }
    rule.cacheLifetime = try cacheSeconds.map { try Self.seconds($0, "The time answers are kept") }
    if let spendingAmount {
      guard spendingAmount >= 0, spendingAmount <= 1e6 else {
        throw APIError(422, "The most that it may cost is a sum from 0 on.")
      }
      rule.spendingCap = SpendingCap(
        spendingAmount,
        per: try Self.choice(spendingPeriod, of: SpendingCap.Period.self, "period"))
    }
    return rule
  }

  private func expectation() throws -> OutputExpectation {
    switch OutputWord(rawValue: output) {
    case .text: return .text
    case .markdown: return .markdown
    case .sentencePairs: return .sentencePairs
    case .corrections: return .corrections
    case .diff: return .diff
    case .json:
      guard
        let value = try? JSONDecoder().decode(SendableValue.self, from: Data(schema.utf8)),
        value.dictionaryValue != nil
      else { throw APIError(422, "The schema is not a JSON object.") }
      return .json(schema: value)
    case nil: throw APIError(422, "“\(output)” is no kind of answer.")
    }
  }

  static func seconds(_ number: Double, _ what: String) throws -> Duration {
    guard number > 0, number <= 31_536_000 else {
      throw APIError(422, "\(what) has to be more than 0 seconds, and less than a year.")
    }
    return .milliseconds(Int((number * 1_000).rounded()))
  }

  private static func choice<Value: RawRepresentable<String>>(
    _ text: String, of _: Value.Type, _ what: String
  ) throws -> Value {
    guard let value = Value(rawValue: text) else {
      throw APIError(422, "“\(text)” is no \(what).")
    }
    return value
  }

  private static func schema(of output: OutputExpectation) -> String {
    guard case .json(let schema) = output else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return (try? encoder.encode(schema)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// After how many milliseconds, and whether that is only until it has been observed.
  private static func hedging(of mode: RoutingRule.Mode) -> (Int, Bool) {
    guard case .hedged(let delay) = mode else { return (1_000, false) }
    return switch delay {
    case .fixed(let time): (time.wholeMilliseconds, false)
    case .observed(let time): (time.wholeMilliseconds, true)
    }
  }
}
