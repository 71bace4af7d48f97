extension Connector: FieldTable {
  package static let noun = "connector"

  package init(defaultsFor id: String) { self.init(id: id) }

  private static let azureOnly = FieldCondition(
    key: "kind", value: ConnectorKindName.azure.rawValue)

  package static let fields: [Field<Connector>] = [
    Field(
      "name", .text(), \.nameOrID, title: "Name",
      help: "The name on screens; the id unless given."),
    Field(
      "kind", .choice(of: ConnectorKindName.self), \.kindName, title: "Kind",
      help: "The protocol of the service.", placeholder: "KIND", isRequired: true),
    Field(
      "vendor", .text(), \.vendor, title: "Vendor", help: "The vendor; lists are grouped by it."),
    Field(
      "url", .text(), \.baseURL, title: "Address",
      help:
        "The address, like https://host/v1; the vendor's own unless given. A socket at wss: is a "
        + "WebSocket; one at https: begins with HTTP requests.", option: "base-url",
      placeholder: "URL", removal: "base-url"),
    Field(
      "deployment", .text(), \.deployment, title: "Deployment",
      help: "The name of the Azure deployment.", placeholder: "NAME", condition: azureOnly,
      isRequired: true),
    Field(
      "api-version", .text(), \.apiVersion, title: "API version",
      help: "The version of the Azure interface; the newest unless given.", placeholder: "VERSION",
      condition: azureOnly),
    Field(
      "credential", .text(), \.credential, title: "Key name",
      help: "The name under which the key is stored; never the key itself.", option: "key-from",
      placeholder: "CREDENTIAL", removal: "key"),
    Field(
      "model", .text(), \.model, title: "Model",
      help: "The model; the service's default unless given.", placeholder: "MODEL", removal: "model"
    ),
    Field(
      "instructions", .text(isMultiline: true), \.instructions, title: "Instructions",
      help: "Instructions that precede every request.", removal: "instructions"),
    Field(
      "headers", .pairs, \.headers, title: "Additional headers",
      help: "An additional header field, never a key.", option: "header", placeholder: "NAME=VALUE",
      removal: "headers"),
    Field(
      "timeout", .duration, \.timeout, title: "Timeout",
      help: "The time limit for a complete answer; 2m unless given."),
    Field(
      "max-tokens", .wholeNumber(1...10_000_000), \.maxTokens, title: "Maximum output tokens",
      help: "The maximum number of output tokens; the service's default unless given.",
      removal: "max-tokens"),
    Field(
      "temperature", .number(0...2), \.temperature, title: "Temperature",
      help: "The sampling temperature; the service's default unless given.",
      removal: "temperature"),
    Field(
      "top-p", .number(0...1), \.topP, title: "Nucleus sampling (top_p)",
      help: "The probability mass for nucleus sampling; the service's default unless given.",
      removal: "top-p"),
    Field(
      "streaming", .bool, \.streams, title: "Stream answers",
      help: "Whether answers arrive in pieces; on unless given.", json: "streams"),
    Field(
      "price-in", .number(0...1_000_000), \.inputPrice, title: "Price per million input tokens",
      help: "The price of a million input tokens; unknown unless given.", placeholder: "SUM",
      removal: "price"),
    Field(
      "price-out", .number(0...1_000_000), \.outputPrice, title: "Price per million output tokens",
      help: "The price of a million output tokens; unknown unless given.", placeholder: "SUM",
      removal: "price"),
    Field(
      "concurrency", .wholeNumber(1...256), \.concurrency, title: "Concurrent requests",
      help: "The maximum number of concurrent requests; 4 unless given."),
    Field(
      "active", .bool, \.isActive, title: "Enabled",
      help: "Whether requests are sent to the connector; on unless given.", json: "isActive"),
  ]

  private var nameOrID: String {
    get { name }
    set { name = newValue.allSatisfy(\.isWhitespace) ? id : newValue }
  }

  private var kindName: ConnectorKindName {
    get { kind.name }
    set {
      switch newValue {
      case .openai: kind = .openAICompatible
      case .azure: if kind.name != .azure { kind = .azure(deployment: "", apiVersion: "") }
      case .anthropic: kind = .anthropic
      case .socket: kind = .llmSocket
      case .onDevice: kind = .onDevice
      }
    }
  }

  private var deployment: String? {
    get { if case .azure(let deployment, _) = kind { deployment } else { nil } }
    set {
      guard case .azure(_, let version) = kind else { return }
      kind = .azure(deployment: newValue ?? "", apiVersion: version)
    }
  }

  private var apiVersion: String? {
    get { if case .azure(_, let version) = kind { version } else { nil } }
    set {
      guard case .azure(let deployment, _) = kind else { return }
      kind = .azure(deployment: deployment, apiVersion: newValue ?? "")
    }
  }

  private var inputPrice: Double? {
    get { price?.input }
    set { price = newValue.map { Price(input: $0, output: price?.output ?? 0) } }
  }

  private var outputPrice: Double? {
    get { price?.output }
    set { price = newValue.map { Price(input: price?.input ?? 0, output: $0) } }
  }
}
