extension Connector: FieldTable {
  package static let noun = "connector"

  package init(defaultsFor id: String) { self.init(id: id) }

  package static let fields: [Field<Connector>] = [
    Field(
      "name", .text(isMultiline: false), title: "Name",
      help: "The name on screens; the id unless given."
    ) {
      .text($0.name)
    } write: { connector, value in
      let name = value?.text ?? ""
      connector.name = name.allSatisfy(\.isWhitespace) ? connector.id : name
    },
    .choice(
      "kind", ConnectorKindName.self, title: "Kind", help: "The protocol of the service."
    ) {
      $0.kind.name
    } write: { connector, name in
      connector.setKind(name)
    }
    .option(placeholder: "KIND").required(),
    .text("vendor", \.vendor, title: "Vendor", help: "The vendor; lists are grouped by it."),
    .text(
      "url", \.baseURL, title: "Address",
      help: "The address, like https://host/v1; the vendor's own unless given."
    )
    .option("base-url", placeholder: "URL").removable(as: "base-url"),
    Field(
      "deployment", .text(isMultiline: false), title: "Deployment",
      help: "The name of the Azure deployment."
    ) {
      if case .azure(let deployment, _) = $0.kind { .text(deployment) } else { nil }
    } write: { connector, value in
      guard case .azure(_, let version) = connector.kind else { return }
      connector.kind = .azure(deployment: value?.text ?? "", apiVersion: version)
    }
    .option(placeholder: "NAME").only(with: "kind", ConnectorKindName.azure.rawValue).required(),
    Field(
      "api-version", .text(isMultiline: false), title: "API version",
      help: "The version of the Azure interface; the newest unless given."
    ) {
      if case .azure(_, let version) = $0.kind { .text(version) } else { nil }
    } write: { connector, value in
      guard case .azure(let deployment, _) = connector.kind else { return }
      connector.kind = .azure(deployment: deployment, apiVersion: value?.text ?? "")
    }
    .option(placeholder: "VERSION").only(with: "kind", ConnectorKindName.azure.rawValue),
    .text(
      "credential", \.credential, title: "Key name",
      help: "The name under which the key is stored; never the key itself."
    )
    .option("key-from", placeholder: "CREDENTIAL").removable(as: "key"),
    .text(
      "model", \.model, title: "Model", help: "The model; the service's default unless given."
    )
    .option(placeholder: "MODEL").removable(),
    .text(
      "instructions", \.instructions, isMultiline: true, title: "Instructions",
      help: "Instructions that precede every request."
    )
    .removable(),
    .pairs(
      "headers", \.headers, title: "Additional headers",
      help: "An additional header field, never a key."
    )
    .option("header", placeholder: "NAME=VALUE").removable(),
    .duration(
      "timeout", \.timeout, title: "Timeout",
      help: "The time limit for a complete answer; 2m unless given."),
    .wholeNumber(
      "max-tokens", \.maxTokens, in: 1...10_000_000, title: "Maximum output tokens",
      help: "The maximum number of output tokens; the service's default unless given."
    )
    .removable(),
    .number(
      "temperature", \.temperature, in: 0...2, title: "Temperature",
      help: "The sampling temperature; the service's default unless given."
    )
    .removable(),
    .number(
      "top-p", \.topP, in: 0...1, title: "Nucleus sampling (top_p)",
      help: "The probability mass for nucleus sampling; the service's default unless given."
    )
    .removable(),
    .bool(
      "streaming", \.streams, title: "Stream answers",
      help: "Whether answers arrive in pieces; on unless given."
    )
    .json("streams"),
    .number(
      "price-in", in: 0...1_000_000, title: "Price per million input tokens",
      help: "The price of a million input tokens; unknown unless given."
    ) {
      $0.price?.input
    } write: { connector, value in
      connector.price = value.map { Price(input: $0, output: connector.price?.output ?? 0) }
    }
    .option(placeholder: "SUM").removable(as: "price"),
    .number(
      "price-out", in: 0...1_000_000, title: "Price per million output tokens",
      help: "The price of a million output tokens; unknown unless given."
    ) {
      $0.price?.output
    } write: { connector, value in
      connector.price = value.map { Price(input: connector.price?.input ?? 0, output: $0) }
    }
    .option(placeholder: "SUM").removable(as: "price"),
    .wholeNumber(
      "concurrency", \.concurrency, in: 1...256, title: "Concurrent requests",
      help: "The maximum number of concurrent requests; 4 unless given."),
    .bool(
      "active", \.isActive, title: "Enabled",
      help: "Whether requests are sent to the connector; on unless given."
    )
    .json("isActive"),
  ]

  private mutating func setKind(_ name: ConnectorKindName) {
    switch name {
    case .openai: kind = .openAICompatible
    case .azure: if kind.name != .azure { kind = .azure(deployment: "", apiVersion: "") }
    case .anthropic: kind = .anthropic
    case .socket: kind = .llmSocket
    case .onDevice: kind = .onDevice
    }
  }
}
