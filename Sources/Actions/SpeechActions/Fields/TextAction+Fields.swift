import AIServices

extension TextAction: FieldTable {
  package static let noun = "action"

  package init(defaultsFor id: String) { self.init(id: id, name: id, prompt: "") }

  private static let hedgedOnly = FieldCondition(key: "mode", value: ModeName.hedged.rawValue)

  package static let fields: [Field<TextAction>] = [
    Field(
      "name", .text(), \.name, title: "Name", help: "The name on screens and by voice.",
      isRequired: true),
    Field(
      "prompt", .text(isMultiline: true), \.prompt, title: "Prompt",
      help: "The template of the prompt; {{text}} stands for the text.", isRequired: true),
    Field(
      "system", .text(isMultiline: true), \.system, title: "System prompt",
      help: "The template of the system prompt.", removal: "system"),
    Field(
      "variables", .pairs, \.variables, title: "Variables",
      help: "A variable of the template with its value.", option: "variable",
      placeholder: "NAME=VALUE", removal: "variables"),
    Field(
      "output", .choice(of: OutputName.self), \.outputName, title: "Format",
      help: "The format of the answer.", placeholder: "FORMAT"),
    Field(
      "schema", .json, \.schema, title: "JSON schema", help: "The JSON schema of the answer.",
      condition: FieldCondition(key: "output", value: OutputName.json.rawValue), isRequired: true),
    Field(
      "formatting", .list, \.formatting, title: "Formatting",
      help: "An instruction for the format of the answer, in a sentence.", option: "format",
      removal: "format"),
    Field(
      "after", .choices(of: PostProcessing.self), \.postProcessing, title: "Post-processing",
      help: "A step that is applied to the answer, in order.", placeholder: "STEP", removal: "after"
    ),
    Field(
      "connectors", .list, \.routing.connectors, title: "Connectors",
      help: "A connector to ask, in order; all enabled ones unless given.", option: "connector",
      short: "c", placeholder: "CONNECTOR", removal: "connectors"),
    Field(
      "mode", .choice(of: ModeName.self), \.modeName, title: "Mode",
      help: "The order in which connectors are asked.", placeholder: "MODE"),
    Field(
      "hedge-after", .duration, \.hedgeTime, title: "Late after",
      help: "The time after which a connector counts as late; 1s unless given.",
      condition: hedgedOnly),
    Field(
      "hedge-observed", .bool, \.isHedgeObserved, title: "Use observed latency",
      help: "Counts a connector as late after its 95th percentile, once that is known.",
      isFlag: true, json: "isHedgeObserved", condition: hedgedOnly),
    Field(
      "retries", .wholeNumber(0...ConnectorService.maximumRetries), \.routing.retries,
      title: "Maximum retries", help: "The maximum number of retries of a request."),
    Field(
      "deadline", .duration, \.routing.deadline, title: "Deadline",
      help: "The time limit for a run; none unless given.", removal: "deadline"),
    Field(
      "spending-cap", .number(0...1_000_000), \.spendingAmount, title: "Spending cap",
      help: "The most that the action may cost, at the connectors' prices; no limit unless given.",
      placeholder: "SUM", removal: "spending-cap"),
    Field(
      "spending-period", .choice(of: SpendingCap.Period.self), \.spendingPeriod,
      title: "Spending period", help: "The period of the spending cap; a run unless given.",
      placeholder: "PERIOD", condition: FieldCondition(key: "spending-cap")),
    Field(
      "cache", .duration, \.routing.cacheLifetime, title: "Cache lifetime",
      help: "The time for which an answer is reused for the same question; none unless given.",
      removal: "cache"),
    Field(
      "privacy", .choice(of: PrivacyRule.self), \.privacy, title: "Privacy",
      help: "The connectors that may receive the text.", placeholder: "RULE"),
    Field(
      "archived", .bool, \.isArchived, title: "Archived", help: "Whether the action is hidden.",
      hasOption: false, json: "isArchived"),
  ]

  private var outputName: OutputName {
    get { output.name }
    set {
      switch newValue {
      case .text: output = .text
      case .markdown: output = .markdown
      case .sentencePairs: output = .sentencePairs
      case .corrections: output = .corrections
      case .diff: output = .diff
      // Without a schema, which the field of that name sets.
      case .json: if output.name != .json { output = .json(schema: .null) }
      }
    }
  }

  private var schema: SendableValue? {
    get { if case .json(let schema) = output, !schema.isNull { schema } else { nil } }
    set { if case .json = output, let newValue { output = .json(schema: newValue) } }
  }

  private var modeName: ModeName {
    get { routing.mode.name }
    set {
      switch newValue {
      case .sequential: routing.mode = .sequential
      case .parallel: routing.mode = .parallel
      case .firstSuccess: routing.mode = .firstSuccess
      case .hedged: if routing.mode.name != .hedged { hedge(.seconds(1), isObserved: false) }
      }
    }
  }

  private var hedgeTime: Duration? {
    get {
      switch routing.mode {
      case .hedged(.fixed(let time)), .hedged(.observed(let time)): time
      default: nil
      }
    }
    set { if let newValue, let isHedgeObserved { hedge(newValue, isObserved: isHedgeObserved) } }
  }

  private var isHedgeObserved: Bool? {
    get {
      guard case .hedged(let delay) = routing.mode else { return nil }
      return if case .observed = delay { true } else { false }
    }
    set { if let newValue, let hedgeTime { hedge(hedgeTime, isObserved: newValue) } }
  }

  private mutating func hedge(_ time: Duration, isObserved: Bool) {
    routing.mode = .hedged(after: isObserved ? .observed(otherwise: time) : .fixed(time))
  }

  private var spendingAmount: Double? {
    get { routing.spendingCap?.amount }
    set {
      let period = routing.spendingCap?.period ?? .run
      routing.spendingCap = newValue.map { SpendingCap($0, per: period) }
    }
  }

  private var spendingPeriod: SpendingCap.Period? {
    get { routing.spendingCap?.period }
    set { if let newValue { routing.spendingCap?.period = newValue } }
  }
}
