import AIServices

extension TextAction: FieldTable {
  package static let noun = "action"

  package init(defaultsFor id: String) { self.init(id: id, name: id, prompt: "") }

  package static let fields: [Field<TextAction>] = prompting + answering + asking

  private static let prompting: [Field<TextAction>] = [
    .text("name", \.name, title: "Name", help: "The name on screens and by voice.").required(),
    .text(
      "prompt", \.prompt, isMultiline: true, title: "Prompt",
      help: "The template of the prompt; {{text}} stands for the text."
    )
    .required(),
    .text(
      "system", \.system, isMultiline: true, title: "System prompt",
      help: "The template of the system prompt."
    )
    .removable(),
    .pairs(
      "variables", \.variables, title: "Variables",
      help: "A variable of the template with its value."
    )
    .option("variable", placeholder: "NAME=VALUE").removable(),
  ]

  private static let answering: [Field<TextAction>] = [
    .choice("output", OutputName.self, title: "Format", help: "The format of the answer.") {
      $0.output.name
    } write: { action, name in
      action.setOutput(name)
    }
    .option(placeholder: "FORMAT"),
    Field("schema", .json, title: "JSON schema", help: "The JSON schema of the answer.") {
      if case .json(let schema) = $0.output, !schema.isNull { .json(schema) } else { nil }
    } write: { action, value in
      guard case .json = action.output, case .json(let schema)? = value else { return }
      action.output = .json(schema: schema)
    }
    .only(with: "output", OutputName.json.rawValue).required(),
    .list(
      "formatting", \.formatting, title: "Formatting",
      help: "An instruction for the format of the answer, in a sentence."
    )
    .option("format").removable(as: "format"),
    .choices(
      "after", \.postProcessing, title: "Post-processing",
      help: "A step that is applied to the answer, in order."
    )
    .option(placeholder: "STEP").removable(),
  ]

  private static let asking: [Field<TextAction>] = [
    .list(
      "connectors", \.routing.connectors, title: "Connectors",
      help: "A connector to ask, in order; all enabled ones unless given."
    )
    .option("connector", short: "c", placeholder: "CONNECTOR").removable(),
    .choice(
      "mode", ModeName.self, title: "Mode", help: "The order in which connectors are asked."
    ) {
      $0.routing.mode.name
    } write: { action, name in
      action.setMode(name)
    }
    .option(placeholder: "MODE"),
    Field(
      "hedge-after", .duration, title: "Late after",
      help: "The time after which a connector counts as late; 1s unless given."
    ) {
      $0.hedgeDelay.map { .duration($0.time) }
    } write: { action, value in
      guard let delay = action.hedgeDelay, case .duration(let time)? = value else { return }
      action.routing.mode = .hedged(
        after: delay.isObserved ? .observed(otherwise: time) : .fixed(time))
    }
    .only(with: "mode", ModeName.hedged.rawValue),
    Field(
      "hedge-observed", .bool, title: "Use observed latency",
      help: "Counts a connector as late after its 95th percentile, once that is known."
    ) {
      $0.hedgeDelay.map { .bool($0.isObserved) }
    } write: { action, value in
      guard let delay = action.hedgeDelay, case .bool(let isObserved)? = value else { return }
      action.routing.mode = .hedged(
        after: isObserved ? .observed(otherwise: delay.time) : .fixed(delay.time))
    }
    .option(isFlag: true).json("isHedgeObserved").only(with: "mode", ModeName.hedged.rawValue),
    .wholeNumber(
      "retries", \.routing.retries, in: 0...ConnectorService.maximumRetries,
      title: "Maximum retries", help: "The maximum number of retries of a request."),
    .duration(
      "deadline", \.routing.deadline, title: "Deadline",
      help: "The time limit for a run; none unless given."
    )
    .removable(),
    .number(
      "spending-cap", in: 0...1_000_000, title: "Spending cap",
      help: "The most that the action may cost, at the connectors' prices; no limit unless given."
    ) {
      $0.routing.spendingCap?.amount
    } write: { action, value in
      let period = action.routing.spendingCap?.period ?? .run
      action.routing.spendingCap = value.map { SpendingCap($0, per: period) }
    }
    .option(placeholder: "SUM").removable(),
    .choice(
      "spending-period", SpendingCap.Period.self, title: "Spending period",
      help: "The period of the spending cap; a run unless given."
    ) {
      $0.routing.spendingCap?.period
    } write: { action, period in
      action.routing.spendingCap?.period = period
    }
    .option(placeholder: "PERIOD").only(with: "spending-cap"),
    .duration(
      "cache", \.routing.cacheLifetime, title: "Cache lifetime",
      help: "The time for which an answer is reused for the same question; none unless given."
    )
    .removable(),
    .choice(
      "privacy", PrivacyRule.self, title: "Privacy",
      help: "The connectors that may receive the text."
    ) {
      $0.privacy
    } write: { action, rule in
      action.privacy = rule
    }
    .option(placeholder: "RULE"),
    .bool("archived", \.isArchived, title: "Archived", help: "Whether the action is hidden.")
      .withoutOption().json("isArchived"),
  ]

  private var hedgeDelay: (time: Duration, isObserved: Bool)? {
    guard case .hedged(let delay) = routing.mode else { return nil }
    return switch delay {
    case .fixed(let time): (time, false)
    case .observed(let time): (time, true)
    }
  }

  private mutating func setOutput(_ name: OutputName) {
    switch name {
    case .text: output = .text
    case .markdown: output = .markdown
    case .sentencePairs: output = .sentencePairs
    case .corrections: output = .corrections
    case .diff: output = .diff
    // Without a schema, which the field of that name sets.
    case .json: if output.name != .json { output = .json(schema: .null) }
    }
  }

  private mutating func setMode(_ name: ModeName) {
    switch name {
    case .sequential: routing.mode = .sequential
    case .parallel: routing.mode = .parallel
    case .firstSuccess: routing.mode = .firstSuccess
    case .hedged: if hedgeDelay == nil { routing.mode = .hedged(after: .fixed(.seconds(1))) }
    }
  }
}
