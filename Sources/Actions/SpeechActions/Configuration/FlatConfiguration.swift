/// A configuration as tables of values, the way it stands in a file, in order. Values that are the usual ones
/// are left out.
struct FlatConfiguration: Sendable, Hashable {
  struct Table: Sendable, Hashable {
    var path: [String]
    var values: [String: ConfigurationLiteral] = [:]
    /// The order in which values are written.
    var keys: [String] = []

    init(_ path: [String]) {
      self.path = path
    }

    subscript(key: String) -> ConfigurationLiteral? {
      get { values[key] }
      set {
        if newValue == nil { keys.removeAll { $0 == key } }
        if newValue != nil, values[key] == nil { keys.append(key) }
        values[key] = newValue
      }
    }

    /// Whether it is the table of an action or a connector, and not a part of one.
    var isMain: Bool { path.count == 2 }
  }

  var tables: [Table] = []

  subscript(path: [String]) -> Table? { tables.first { $0.path == path } }

  var paths: [[String]] { tables.map(\.path) }

  var byPath: [[String]: Table] { Dictionary(tables.map { ($0.path, $0) }) { $1 } }
}

extension FlatConfiguration {
  /// The configuration as tables.
  init(_ configuration: ActionConfiguration) {
    var root = Table([])
    root["version"] = .int(ConfigurationMigration.currentVersion)
    let library = configuration.actions
    if let id = library.defaultID { root["default"] = .string(id) }
    tables = [root]
    for connector in configuration.connectors { add(connector) }
    for action in library.all { add(action) }
  }

  private mutating func add(_ connector: Connector) {
    var table = Table(["connector", connector.id])
    let usual = Connector(id: connector.id)
    if connector.name != connector.id { table["name"] = .string(connector.name) }
    table["kind"] = .string(connector.kind.word.rawValue)
    if connector.vendor != usual.vendor { table["vendor"] = .string(connector.vendor) }
    if connector.baseURL != usual.baseURL { table["url"] = .string(connector.baseURL) }
    if case .azure(let deployment, let version) = connector.kind {
      table["deployment"] = .string(deployment)
      if !version.isEmpty { table["api-version"] = .string(version) }
    }
    if let credential = connector.credential { table["credential"] = .string(credential) }
    if connector.model != usual.model { table["model"] = .string(connector.model) }
    if !connector.instructions.isEmpty { table["instructions"] = .string(connector.instructions) }
    if connector.timeout != usual.timeout {
      table["timeout"] = .string(DurationText.written(connector.timeout))
    }
    if let most = connector.maxTokens { table["max-tokens"] = .int(most) }
    if let value = connector.temperature { table["temperature"] = .double(value) }
    if let value = connector.topP { table["top-p"] = .double(value) }
    if !connector.streams { table["streaming"] = .bool(false) }
    if let price = connector.price {
      table["price-in"] = .double(price.input)
      table["price-out"] = .double(price.output)
    }
    if connector.concurrency != usual.concurrency {
      table["concurrency"] = .int(connector.concurrency)
    }
    if !connector.isActive { table["active"] = .bool(false) }
    tables.append(table)
    add(connector.headers, to: ["connector", connector.id, "headers"])
  }

  private mutating func add(_ action: TextAction) {
    var table = Table(["action", action.id])
    table["name"] = .string(action.name)
    table["prompt"] = .string(action.prompt)
    if !action.system.isEmpty { table["system"] = .string(action.system) }
    if action.output != .text { table["output"] = .string(action.output.word.rawValue) }
    if case .json(let schema) = action.output {
      table["schema"] = .string(schema.json(pretty: true) + "\n")
    }
    if !action.formatting.isEmpty { table["formatting"] = .strings(action.formatting) }
    if action.postProcessing != [.cleanUp] {
      table["after"] = .strings(action.postProcessing.map(\.rawValue))
    }
    add(action.routing, to: &table)
    if action.privacy != .anywhere { table["privacy"] = .string(action.privacy.rawValue) }
    if action.isArchived { table["archived"] = .bool(true) }
    tables.append(table)
    add(action.variables, to: ["action", action.id, "variables"])
  }

  private func add(_ rule: RoutingRule, to table: inout Table) {
    if rule.mode != .sequential { table["mode"] = .string(rule.mode.word.rawValue) }
    if case .hedged(let delay) = rule.mode {
      switch delay {
      case .fixed(let time): table["hedge-after"] = .string(DurationText.written(time))
      case .observed(let time):
        table["hedge-after"] = .string(DurationText.written(time))
        table["hedge-observed"] = .bool(true)
      }
    }
    if !rule.connectors.isEmpty { table["connectors"] = .strings(rule.connectors) }
    if rule.retries != RoutingRule().retries { table["retries"] = .int(rule.retries) }
    if let time = rule.deadline { table["deadline"] = .string(DurationText.written(time)) }
    if let cap = rule.spendingCap {
      table["spending-cap"] = .double(cap.amount)
      table["spending-period"] = .string(cap.period.rawValue)
    }
    if let time = rule.cacheLifetime { table["cache"] = .string(DurationText.written(time)) }
  }

  private mutating func add(_ texts: [String: String], to path: [String]) {
    guard !texts.isEmpty else { return }
    var table = Table(path)
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { table[name] = .string(text) }
    tables.append(table)
  }
}
