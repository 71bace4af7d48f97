import AIServices
import Foundation
import SpeechText

/// Makes a configuration of a file, and finds all that is wrong with it.
struct ConfigurationDecoder {
  private let document: ConfigurationDocument
  private var faults: [ConfigurationFault]
  private var connectors: [Connector] = []
  private var actions: [TextAction] = []

  /// - Throws: `ActionError.configuration` with all faults, in the order of the file.
  static func configuration(in text: String) throws(ActionError) -> ActionConfiguration {
    var decoder = ConfigurationDecoder(ConfigurationDocument(text))
    let configuration = decoder.decode()
    guard decoder.faults.isEmpty else {
      throw .configuration(decoder.faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
    return configuration
  }

  private init(_ document: ConfigurationDocument) {
    self.document = document
    faults = document.faults
  }

  private mutating func decode() -> ActionConfiguration {
    var root = TableDecoder(document.tables[0])
    _ = root.int("version", in: 0...1_000_000)
    let defaultID = root.string("default")
    root.finish()
    faults += root.faults
    for table in document.tables.dropFirst() { read(table) }
    checkNames()
    checkReferences()
    var library = ActionLibrary.readyMade
    if !actions.isEmpty {
      library = ActionLibrary()
      // What cannot be added is told of by `checkNames`.
      for action in actions { try? library.add(action) }
    }
    if let defaultID {
      do throws(ActionError) {
        try library.makeDefault(defaultID)
      } catch {
        var root = TableDecoder(document.tables[0])
        root.note("default", error.errorDescription ?? "")
        faults += root.faults
      }
    }
    return ActionConfiguration(actions: library, connectors: connectors)
  }

  private mutating func read(_ table: ConfigurationDocument.Table) {
    var decoder = TableDecoder(table)
    switch (table.path.first, table.path.count, table.path.last) {
    case ("connector", 2, _):
      if let connector = connector(&decoder) { connectors.append(connector) }
    case ("action", 2, _):
      if let action = action(&decoder) { actions.append(action) }
    case ("connector", 3, "headers"), ("action", 3, "variables"):
      if document.table(Array(table.path.prefix(2))) == nil {
        decoder.note(
          "",
          "There is no table [\(table.path.prefix(2).joined(separator: "."))] that this belongs to."
        )
      }
    default:
      decoder.note(
        "",
        "There is no table of that name. There are [connector.NAME], [connector.NAME.headers], "
          + "[action.NAME] and [action.NAME.variables].")
    }
    faults += decoder.faults
  }

  // MARK: Connectors

  private mutating func connector(_ decoder: inout TableDecoder) -> Connector? {
    let id = checkedID(&decoder)
    var connector = Connector(id: id)
    if let name = decoder.string("name") { connector.name = name }
    connector.vendor = decoder.string("vendor") ?? ""
    connector.baseURL = decoder.string("url") ?? ""
    let deployment = decoder.string("deployment")
    let version = decoder.string("api-version")
    switch decoder.choice("kind", of: KindWord.self) ?? .openai {
    case .azure: connector.kind = .azure(deployment: deployment ?? "", apiVersion: version ?? "")
    case .anthropic: connector.kind = .anthropic
    case .socket: connector.kind = .llmSocket
    case .onDevice: connector.kind = .onDevice
    case .openai: connector.kind = .openAICompatible
    }
    connector.credential = decoder.string("credential")
    connector.model = decoder.string("model") ?? ""
    connector.instructions = decoder.string("instructions") ?? ""
    connector.timeout = decoder.duration("timeout") ?? connector.timeout
    connector.maxTokens = decoder.int("max-tokens", in: 1...10_000_000)
    connector.temperature = decoder.number("temperature", in: 0...2)
    connector.topP = decoder.number("top-p", in: 0...1)
    connector.streams = decoder.bool("streaming") ?? true
    let input = decoder.number("price-in", in: 0...1_000_000)
    let output = decoder.number("price-out", in: 0...1_000_000)
    if input != nil || output != nil {
      connector.price = Connector.Price(input: input ?? 0, output: output ?? 0)
    }
    connector.concurrency = decoder.int("concurrency", in: 1...256) ?? connector.concurrency
    connector.isActive = decoder.bool("active") ?? true
    connector.headers = texts("headers", of: decoder.table, check: Self.headerFault)
    if deployment?.isEmpty != false, case .azure = connector.kind {
      decoder.note(
        "kind", "An Azure connector needs the name of its deployment: deployment = \"…\".")
    }
    if deployment != nil || version != nil, connector.kind.word != .azure {
      decoder.note(
        deployment != nil ? "deployment" : "api-version",
        "Only connectors of the kind \"azure\" have it.")
    }
    checkAddress(connector, &decoder)
    if let credential = connector.credential, Self.looksSecret(credential) {
      decoder.note(
        "credential",
        "This looks like a key. Store it with `speechkit credentials set`, and write here the name that it "
          + "is stored under.")
    }
    if connector.kind == .llmSocket, connector.topP != nil {
      decoder.note("top-p", "The LLM socket does not know it. Take it out.")
    }
    decoder.finish()
    return connector
  }

  private func checkAddress(_ connector: Connector, _ decoder: inout TableDecoder) {
    guard !connector.baseURL.isEmpty else {
      if connector.kind.word == .azure {
        decoder.note(
          "kind", "An Azure connector needs its address: url = \"https://….openai.azure.com\".")
      }
      return
    }
    let parts = URLComponents(string: connector.baseURL)
    let schemes =
      connector.kind == .llmSocket ? ["ws", "wss", "http", "https"] : ["http", "https"]
    guard let scheme = parts?.scheme?.lowercased(), schemes.contains(scheme),
      parts?.host?.isEmpty == false
    else {
      return decoder.note("url", "This is no address. It looks like \"https://host/v1\".")
    }
    if parts?.user != nil || parts?.password != nil || parts?.fragment != nil {
      decoder.note(
        "url",
        "An address has no user, password or fragment here. Keys belong into the credential store.")
    }
    if connector.kind == .onDevice, URL(string: connector.baseURL)?.isLoopback != true {
      decoder.note("url", "What is on-device is on this machine: 127.0.0.1, ::1 or localhost.")
    }
  }

  private static func headerFault(_ name: String, _ value: String) -> String? {
    let secrets = [
      "authorization", "proxy-authorization", "cookie", "api-key", "x-api-key", "xi-api-key",
      "x-goog-api-key",
    ]
    if secrets.contains(name.lowercased()) || looksSecret(value) {
      return
        "Keys do not belong into this file. Store it with `speechkit credentials set` and name it in "
        + "the connector: credential = \"…\"."
    }
    let isName = name.utf8.allSatisfy(HTTPHeaders.isTokenCharacter) && !name.isEmpty
    let isValue = value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isName && isValue ? nil : "This cannot be sent as a header. Use plain ASCII characters."
  }

  /// Whether a text looks like a key that somebody put into the wrong place.
  private static func looksSecret(_ text: String) -> Bool {
    let text = text.trimmed
    return ["sk-", "sk_", "Bearer ", "Basic ", "xox", "ghp_", "AIza"].contains(
      where: text.hasPrefix)
      && text.count >= 16 || text.count > 100
  }

  // MARK: Actions

  private mutating func action(_ decoder: inout TableDecoder) -> TextAction? {
    let id = checkedID(&decoder)
    var action = TextAction(id: id, name: decoder.string("name") ?? id, prompt: "")
    action.variables = texts("variables", of: decoder.table) { name, _ in
      TemplateReader.isName(name)
        ? nil : "A variable's name has letters, digits, - and _, and begins with a letter."
    }
    action.prompt = decoder.string("prompt") ?? ""
    action.system = decoder.string("system") ?? ""
    if decoder.table.entry("prompt") == nil {
      decoder.note("", "The action needs a prompt, like: prompt = \"Translate: {{text}}\".")
    }
    checkTemplate("prompt", action.prompt, action, &decoder)
    checkTemplate("system", action.system, action, &decoder)
    action.output = output(&decoder)
    action.formatting = decoder.strings("formatting") ?? []
    if let words = decoder.strings("after") {
      let all = PostProcessing.allCases.map(\.rawValue)
      for word in words where !all.contains(word) {
        decoder.note(
          "after", "“\(word)” is not known here." + NearestName.advice(on: word, among: all))
      }
      action.postProcessing = words.compactMap { PostProcessing(rawValue: $0) }
    }
    action.routing = routing(&decoder)
    action.privacy = decoder.choice("privacy", of: PrivacyRule.self) ?? .anywhere
    action.isArchived = decoder.bool("archived") ?? false
    decoder.finish()
    return action
  }

  private func checkTemplate(
    _ key: String, _ source: String, _ action: TextAction, _ decoder: inout TableDecoder
  ) {
    var found: [TemplateFault] = []
    do throws(ActionError) {
      // Others may be defined when the action is run, but nobody could tell a slip from them.
      found = try PromptTemplate(source).unknownVariables(defined: action.variables.keys.sorted())
    } catch {
      if case .template(let faults) = error { found = faults }
    }
    guard let entry = decoder.table.entry(key) else { return }
    for fault in found {
      guard let first = entry.firstLine else {
        decoder.note(key, "In the template at \(fault.line):\(fault.column): \(fault.message)")
        continue
      }
      decoder.note(
        key, at: TextPosition(line: first + fault.line - 1, column: fault.column), fault.message)
    }
  }

  private func output(_ decoder: inout TableDecoder) -> OutputExpectation {
    let schema = decoder.string("schema")
    let word = decoder.choice("output", of: OutputWord.self) ?? .text
    if schema != nil, word != .json {
      decoder.note("schema", "It goes with output = \"json\" only.")
    }
    switch word {
    case .markdown: return .markdown
    case .sentencePairs: return .sentencePairs
    case .corrections: return .corrections
    case .diff: return .diff
    case .json:
      guard let schema else {
        decoder.note("output", "JSON needs a schema: schema = '''{…}'''.")
        return .json(schema: [:])
      }
      guard let value = try? JSONDecoder().decode(SendableValue.self, from: Data(schema.utf8)),
        value.dictionaryValue != nil
      else {
        decoder.note("schema", "This is no JSON schema.")
        return .json(schema: [:])
      }
      return .json(schema: value)
    case .text: return .text
    }
  }

  private func routing(_ decoder: inout TableDecoder) -> RoutingRule {
    var rule = RoutingRule()
    let late = decoder.duration("hedge-after")
    let isObserved = decoder.bool("hedge-observed")
    switch decoder.choice("mode", of: ModeWord.self) ?? .sequential {
    case .parallel: rule.mode = .parallel
    case .firstSuccess: rule.mode = .firstSuccess
    case .hedged:
      let time = late ?? .seconds(1)
      rule.mode = .hedged(after: isObserved == true ? .observed(otherwise: time) : .fixed(time))
    case .sequential: rule.mode = .sequential
    }
    if late != nil || isObserved != nil, rule.mode.word != .hedged {
      decoder.note(
        late != nil ? "hedge-after" : "hedge-observed", "It goes with mode = \"hedged\" only.")
    }
    rule.connectors = decoder.strings("connectors") ?? []
    rule.retries = decoder.int("retries", in: 0...ConnectorService.mostRetries) ?? rule.retries
    rule.deadline = decoder.duration("deadline")
    let period = decoder.choice("spending-period", of: SpendingCap.Period.self)
    if let amount = decoder.number("spending-cap", in: 0...1_000_000) {
      rule.spendingCap = SpendingCap(amount, per: period ?? .run)
    } else if period != nil, decoder.table.entry("spending-cap") == nil {
      decoder.note("spending-period", "It goes with a spending-cap only.")
    }
    rule.cacheLifetime = decoder.duration("cache")
    return rule
  }

  // MARK: What concerns several

  private func checkedID(_ decoder: inout TableDecoder) -> String {
    let id = decoder.table.path.last ?? ""
    if !Identifier.isValid(id) {
      decoder.note(
        "",
        "“\(id)” cannot be a name. Use letters, digits, - and _, like “\(Identifier.made(from: id))”."
      )
    }
    return id
  }

  private mutating func texts(
    _ part: String, of table: ConfigurationDocument.Table,
    check: (String, String) -> String?
  ) -> [String: String] {
    guard let part = document.table(table.path + [part]) else { return [:] }
    var decoder = TableDecoder(part)
    let texts = decoder.allStrings()
    for (name, text) in texts {
      if let fault = check(name, text) { decoder.note(name, fault) }
    }
    faults += decoder.faults
    return texts
  }

  private mutating func checkNames() {
    for (kind, names) in [
      ("action", actions.map { ($0.id, $0.name) }),
      ("connector", connectors.map { ($0.id, $0.name) }),
    ] {
      var known: [String: String] = [:]
      for (id, name) in names {
        guard let table = document.table([kind, id]) else { continue }
        var decoder = TableDecoder(table)
        if let other = known[name.lowercased()] {
          decoder.note(
            "name", "“\(name)” is the name of [\(kind).\(other)] already. Choose another.")
        } else if name.allSatisfy(\.isWhitespace) {
          decoder.note("name", "A name cannot be blank.")
        }
        known[name.lowercased()] = id
        faults += decoder.faults
      }
    }
  }

  private mutating func checkReferences() {
    let ids = connectors.map(\.id)
    for action in actions {
      guard let table = document.table(["action", action.id]) else { continue }
      var decoder = TableDecoder(table)
      for id in action.routing.connectors where !ids.contains(id) {
        decoder.note(
          "connectors",
          "There is no connector “\(id)”." + NearestName.advice(on: id, among: ids))
      }
      faults += decoder.faults
    }
  }
}

extension TableDecoder {
  fileprivate mutating func note(_ key: String, at place: TextPosition, _ message: String) {
    note(
      ConfigurationFault(
        line: place.line, column: place.column, path: (table.path + [key]).joined(separator: "."),
        message: message))
  }
}
