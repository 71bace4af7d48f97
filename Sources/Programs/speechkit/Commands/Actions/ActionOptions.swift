import Foundation
import SpeechActions
import SpeechKit

/// The options that say what an action is, of those commands that make or change one.
struct ActionOptions: Sendable {
  static let name = ValueOption<String>(
    "name", value: "TEXT", help: "What it is called on screens and by voice.")
  static let prompt = ValueOption<String>(
    "prompt", value: "TEXT", help: "The template of the question; {{text}} is the text.")
  static let promptFile = ValueOption<String>(
    "prompt-file", value: "FILE", help: "The same from a file; “-” is standard input.",
    hint: .input)
  static let system = ValueOption<String>(
    "system", value: "TEXT", help: "The template of the rules for the model.")
  static let output = ValueOption<OutputWord>(
    "output", value: "KIND", help: "What an answer has to be.")
  static let schema = ValueOption<String>(
    "schema", value: "FILE", help: "The JSON schema, with --output json.", hint: .input)
  static let formatting = ValueOption<String>(
    "format", value: "TEXT",
    help: "How the answer should look, in a sentence; may be given several times.")
  static let after = ValueOption<PostProcessing>(
    "after", value: "STEP", help: "What becomes of an answer; may be given several times, in order."
  )
  static let variable = ValueOption<NamedValue>(
    pair: "variable", help: "A variable of the template; may be given several times.")
  static let mode = ValueOption<ModeWord>(
    "mode", value: "MODE", help: "How several connectors are asked.")
  static let hedgeAfter = ValueOption<Duration>(
    duration: "hedge-after", help: "When a connector is late, with --mode hedged; 1s unless given.")
  static let hedgeObserved = Flag(
    "hedge-observed", help: "Late is what 95 of 100 answers were not, once there are enough.")
  static let connector = ValueOption<String>(
    "connector", short: "c", value: "CONNECTOR",
    help: "Who is asked; may be given several times, in order. All active ones unless given.")
  static let retries = ValueOption<Int>(
    "retries", value: "COUNT", in: 0...10, help: "How often a request is sent again at most.")
  static let deadline = ValueOption<Duration>(
    duration: "deadline", help: "How long a run may take.")
  static let spendingCap = ValueOption<Double>(
    "spending-cap", value: "SUM", in: 0...1_000_000,
    help: "What it may cost, by the connectors' prices.")
  static let spendingPeriod = ValueOption<SpendingCap.Period>(
    "spending-period", value: "PERIOD", help: "What the sum is for; a run unless given.")
  static let cache = ValueOption<Duration>(
    duration: "cache", help: "For how long an answer serves the same question again.")
  static let privacy = ValueOption<PrivacyRule>(
    "privacy", value: "RULE", help: "Where the text may go.")
  static let unset = ValueOption<Unset>(
    "unset", value: "WHAT", help: "Take a setting away; may be given several times.")

  /// What can be taken away.
  enum Unset: String, CaseIterable, Sendable {
    case system
    case format
    case after
    case variables
    case connectors
    case deadline
    case spendingCap = "spending-cap"
    case cache
  }

  static let declarations = [
    name.declaration, prompt.declaration, promptFile.declaration, system.declaration,
    output.declaration, schema.declaration, formatting.declaration, after.declaration,
    variable.declaration, mode.declaration, hedgeAfter.declaration, hedgeObserved.declaration,
    connector.declaration, retries.declaration, deadline.declaration, spendingCap.declaration,
    spendingPeriod.declaration, cache.declaration, privacy.declaration,
  ]

  private let arguments: ParsedArguments
  /// Whether there is none of them.
  let isEmpty: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    isEmpty = !(Self.declarations + [Self.unset.declaration]).contains { arguments.has($0) }
    guard arguments[Self.prompt] == nil || arguments[Self.promptFile] == nil else {
      throw UsageError("Give either --prompt or --prompt-file, not both.")
    }
    if arguments[Self.schema] != nil, let output = arguments[Self.output], output != .json {
      throw UsageError("--schema goes with --output json.")
    }
  }

  /// The change that was asked for, what files have to say included.
  ///
  /// - Throws: `CommandFailure` for a file that cannot be read.
  func change() async throws -> @Sendable (inout TextAction) throws -> Void {
    var prompt = arguments[Self.prompt]
    switch arguments[Self.promptFile] {
    case "-"?: prompt = try await TextInput().readStandardInput()
    case let path?: prompt = try await TextInput().read(path: path)
    case nil: break
    }
    var schema: SendableValue?
    if let path = arguments[Self.schema] {
      let text = try await TextInput().read(path: path)
      guard let value = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8)),
        value.dictionaryValue != nil
      else { throw CommandFailure(.badData, "“\(path)” is no JSON schema.") }
      schema = value
    }
    let (arguments, newPrompt, newSchema) = (arguments, prompt, schema)
    return { action in try Self.apply(arguments, newPrompt, newSchema, to: &action) }
  }

  private static func apply(
    _ arguments: ParsedArguments, _ prompt: String?, _ schema: SendableValue?,
    to action: inout TextAction
  ) throws {
    for key in arguments.all(unset) { remove(key, from: &action) }
    if let text = arguments[name] { action.name = text }
    if let prompt { action.prompt = prompt }
    if let text = arguments[system] { action.system = text }
    try setOutput(arguments[output], schema, &action)
    if arguments.has(formatting.declaration) { action.formatting = arguments.all(formatting) }
    if arguments.has(after.declaration) { action.postProcessing = arguments.all(after) }
    for pair in arguments.all(variable) { action.variables[pair.name] = pair.value }
    setMode(arguments, &action.routing)
    if arguments.has(connector.declaration) {
      action.routing.connectors = arguments.all(connector)
    }
    if let count = arguments[retries] { action.routing.retries = count }
    if let time = arguments[deadline] { action.routing.deadline = time }
    if let sum = arguments[spendingCap] {
      let period = arguments[spendingPeriod] ?? action.routing.spendingCap?.period ?? .run
      action.routing.spendingCap = SpendingCap(sum, per: period)
    } else if let period = arguments[spendingPeriod] {
      guard action.routing.spendingCap != nil else {
        throw UsageError("--spending-period goes with --spending-cap.")
      }
      action.routing.spendingCap?.period = period
    }
    if let time = arguments[cache] { action.routing.cacheLifetime = time }
    if let rule = arguments[privacy] { action.privacy = rule }
  }

  private static func setOutput(
    _ word: OutputWord?, _ schema: SendableValue?, _ action: inout TextAction
  ) throws {
    switch word {
    case .text?: action.output = .text
    case .markdown?: action.output = .markdown
    case .sentencePairs?: action.output = .sentencePairs
    case .corrections?: action.output = .corrections
    case .diff?: action.output = .diff
    case .json?:
      guard let schema else { throw UsageError("--output json needs --schema FILE.") }
      action.output = .json(schema: schema)
    case nil:
      guard let schema else { return }
      guard case .json = action.output else {
        throw UsageError("--schema goes with --output json.")
      }
      action.output = .json(schema: schema)
    }
  }

  private static func setMode(_ arguments: ParsedArguments, _ rule: inout RoutingRule) {
    var late = RoutingRule.HedgeDelay.fixed(.seconds(1))
    if case .hedged(let delay) = rule.mode { late = delay }
    if let time = arguments[hedgeAfter] { late = .fixed(time) }
    if arguments[hedgeObserved] {
      switch late {
      case .fixed(let time), .observed(let time): late = .observed(otherwise: time)
      }
    }
    let isHedged =
      arguments.has(hedgeAfter.declaration) || arguments.has(hedgeObserved.declaration)
    switch arguments[mode] ?? (isHedged ? .hedged : nil) {
    case .sequential?: rule.mode = .sequential
    case .parallel?: rule.mode = .parallel
    case .firstSuccess?: rule.mode = .firstSuccess
    case .hedged?: rule.mode = .hedged(after: late)
    case nil: break
    }
  }

  private static func remove(_ key: Unset, from action: inout TextAction) {
    switch key {
    case .system: action.system = ""
    case .format: action.formatting = []
    case .after: action.postProcessing = []
    case .variables: action.variables = [:]
    case .connectors: action.routing.connectors = []
    case .deadline: action.routing.deadline = nil
    case .spendingCap: action.routing.spendingCap = nil
    case .cache: action.routing.cacheLifetime = nil
    }
  }
}
