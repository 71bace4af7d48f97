import SpeechActions
import SpeechKit

/// The options that say what a connector is, of those commands that make or change one.
struct ConnectorOptions: Sendable {
  static let kind = ValueOption<KindWord>(
    "kind", value: "KIND", help: "The language that it speaks; openai unless given.")
  static let baseURL = ValueOption<String>(
    "base-url", value: "URL",
    help: "Its address, like https://host/v1; the vendor's own unless given.")
  static let model = ValueOption<String>(
    "model", value: "MODEL", help: "The model; the service's choice unless given.")
  static let keyFrom = ValueOption<String>(
    "key-from", value: "CREDENTIAL",
    help: "The name that its key is kept under. See `speechkit credentials`.",
    hint: .choices(CredentialsCommands.knownProviders))
  static let name = ValueOption<String>(
    "name", value: "TEXT", help: "What it is called on screens.")
  static let vendor = ValueOption<String>(
    "vendor", value: "TEXT", help: "Whom it belongs to; lists are grouped by it.")
  static let deployment = ValueOption<String>(
    "deployment", value: "NAME", help: "The deployment, of Azure.")
  static let apiVersion = ValueOption<String>(
    "api-version", value: "VERSION", help: "The version of the interface, of Azure.")
  static let header = ValueOption<NamedValue>(
    pair: "header", help: "A further header field, never a key; may be given several times.")
  static let timeout = ValueOption<Duration>(
    duration: "timeout", help: "How long an answer may take; 2m unless given.")
  static let maxTokens = ValueOption<Int>(
    "max-tokens", value: "COUNT", in: 1...10_000_000, help: "The most tokens of an answer.")
  static let temperature = ValueOption<Double>(
    "temperature", value: "0…2", in: 0...2, help: "How freely words are chosen.")
  static let topP = ValueOption<Double>(
    "top-p", value: "0…1", in: 0...1, help: "The share of likely words to choose from.")
  static let instructions = ValueOption<String>(
    "instructions", value: "TEXT", help: "Rules that every request to it begins with.")
  static let streaming = ValueOption<OnOff>(
    "streaming", value: "SWITCH", help: "Whether answers come piece by piece.")
  static let priceIn = ValueOption<Double>(
    "price-in", value: "SUM", in: 0...1_000_000, help: "What a million tokens sent cost.")
  static let priceOut = ValueOption<Double>(
    "price-out", value: "SUM", in: 0...1_000_000, help: "What a million tokens answered cost.")
  static let concurrency = ValueOption<Int>(
    "concurrency", value: "COUNT", in: 1...256, help: "How many requests may be under way; 4.")
  static let active = ValueOption<OnOff>(
    "active", value: "SWITCH", help: "Whether it is asked at all.")
  static let unset = ValueOption<Unset>(
    "unset", value: "WHAT", help: "Take a setting away; may be given several times.")

  enum OnOff: String, CaseIterable, Sendable {
    case on
    case off
  }

  /// What can be taken away.
  enum Unset: String, CaseIterable, Sendable {
    case baseURL = "base-url"
    case model
    case key
    case headers
    case maxTokens = "max-tokens"
    case temperature
    case topP = "top-p"
    case instructions
    case price
  }

  static let declarations = [
    kind.declaration, baseURL.declaration, model.declaration, keyFrom.declaration,
    name.declaration, vendor.declaration, deployment.declaration, apiVersion.declaration,
    header.declaration, timeout.declaration, maxTokens.declaration, temperature.declaration,
    topP.declaration, instructions.declaration, streaming.declaration, priceIn.declaration,
    priceOut.declaration, concurrency.declaration, active.declaration,
  ]

  private let arguments: ParsedArguments
  /// Whether there is none of them.
  let isEmpty: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    isEmpty = !(Self.declarations + [Self.unset.declaration]).contains { arguments.has($0) }
    let isAzure = arguments[Self.kind].map { $0 == .azure } ?? true
    guard isAzure || arguments[Self.deployment] == nil && arguments[Self.apiVersion] == nil else {
      throw UsageError("--deployment and --api-version go with --kind azure.")
    }
  }

  /// Changes what was given.
  ///
  /// - Throws: `UsageError` for a deployment of Azure without a name.
  func apply(to connector: inout Connector) throws(UsageError) {
    for key in arguments.all(Self.unset) { Self.remove(key, from: &connector) }
    try applyKind(to: &connector)
    if let text = arguments[Self.baseURL] { connector.baseURL = text }
    if let text = arguments[Self.model] { connector.model = text }
    if let text = arguments[Self.keyFrom] { connector.credential = text }
    if let text = arguments[Self.name] { connector.name = text }
    if let text = arguments[Self.vendor] { connector.vendor = text }
    for pair in arguments.all(Self.header) { connector.headers[pair.name] = pair.value }
    if let time = arguments[Self.timeout] { connector.timeout = time }
    if let count = arguments[Self.maxTokens] { connector.maxTokens = count }
    if let value = arguments[Self.temperature] { connector.temperature = value }
    if let value = arguments[Self.topP] { connector.topP = value }
    if let text = arguments[Self.instructions] { connector.instructions = text }
    if let value = arguments[Self.streaming] { connector.streams = value == .on }
    if arguments[Self.priceIn] != nil || arguments[Self.priceOut] != nil {
      connector.price = Connector.Price(
        input: arguments[Self.priceIn] ?? connector.price?.input ?? 0,
        output: arguments[Self.priceOut] ?? connector.price?.output ?? 0)
    }
    if let count = arguments[Self.concurrency] { connector.concurrency = count }
    if let value = arguments[Self.active] { connector.isActive = value == .on }
  }

  private func applyKind(to connector: inout Connector) throws(UsageError) {
    let (place, version) = (arguments[Self.deployment], arguments[Self.apiVersion])
    switch arguments[Self.kind] ?? (place != nil || version != nil ? .azure : nil) {
    case .openai?: connector.kind = .openAICompatible
    case .azure?:
      var (oldPlace, oldVersion) = ("", "")
      if case .azure(let place, let version) = connector.kind {
        (oldPlace, oldVersion) = (place, version)
      }
      guard !(place ?? oldPlace).isEmpty else {
        throw UsageError("--kind azure needs the name of the deployment: --deployment NAME.")
      }
      connector.kind = .azure(deployment: place ?? oldPlace, apiVersion: version ?? oldVersion)
    case .anthropic?: connector.kind = .anthropic
    case .socket?: connector.kind = .llmSocket
    case .onDevice?: connector.kind = .onDevice
    case nil: break
    }
  }

  private static func remove(_ key: Unset, from connector: inout Connector) {
    switch key {
    case .baseURL: connector.baseURL = ""
    case .model: connector.model = ""
    case .key: connector.credential = nil
    case .headers: connector.headers = [:]
    case .maxTokens: connector.maxTokens = nil
    case .temperature: connector.temperature = nil
    case .topP: connector.topP = nil
    case .instructions: connector.instructions = ""
    case .price: connector.price = nil
    }
  }
}
