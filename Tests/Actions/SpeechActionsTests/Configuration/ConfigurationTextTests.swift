import AIServices
import Foundation
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechActions

@Suite struct ConfigurationTextTests {
  static let example = """
    # My own file.
    version = 1
    default = "polish"   # what I mostly do

    # The quick one.
    [connector.quick]
    kind = "openai"
    url = "http://127.0.0.1:11434/v1"  # Ollama
    model = "llama3.2"
    timeout = "20s"
    price-in = 0.25
    price-out = 2

    [connector.quick.headers]
    X-Team = "speech"

    [connector.spare]
    kind = "azure"
    url = "https://mine.openai.azure.com"
    deployment = "gpt"
    api-version = "2024-10-21"
    credential = "azure-mine"
    active = false

    # Everything about the text is here.
    [action.polish]
    name = "Polish"
    prompt = '''
    Polish this, \\{{as is}}:

    {{text}}'''
    mode = "hedged"
    hedge-after = "800ms"
    hedge-observed = true
    connectors = [
      "quick",   # first
      "spare",
    ]
    deadline = "1m"
    spending-cap = 0.5
    spending-period = "day"
    after = ["clean-up", "replace"]

    [action.polish.variables]
    tone = "formal"

    [action.mood]
    name = "Mood"
    prompt = "{{text}}"
    output = "json"
    schema = '''{"type":"object"}'''
    privacy = "this-machine"
    """

  @Test func `a file is read completely`() throws {
    let configuration = try ConfigurationText.configuration(in: Self.example)
    #expect(configuration.connectors.map(\.id) == ["quick", "spare"])
    let quick = configuration.connectors[0]
    #expect(quick.price == Connector.Price(input: 0.25, output: 2))
    #expect(quick.headers == ["X-Team": "speech"] && quick.timeout == .seconds(20))
    #expect(configuration.connectors[1].kind == .azure(deployment: "gpt", apiVersion: "2024-10-21"))
    let polish = try configuration.actions.action("polish")
    #expect(polish.prompt == "Polish this, \\{{as is}}:\n\n{{text}}")
    #expect(polish.routing.mode == .hedged(after: .observed(otherwise: .milliseconds(800))))
    #expect(polish.routing.connectors == ["quick", "spare"])
    #expect(polish.routing.spendingCap == SpendingCap(0.5, per: .day))
    #expect(polish.postProcessing == [.cleanUp, .replaceOriginal])
    #expect(polish.variables == ["tone": "formal"])
    #expect(configuration.actions.defaultID == "polish")
    #expect(try configuration.actions.action("mood").output == .json(schema: ["type": "object"]))
  }

  @Test func `every error has a line and a column`() {
    let text = """
      version = 1
      defualt = "x"
      [connector.a]
      kind = "openia"
      temperature = 3
      timeout = "soon"
      url = "https://user:pw@host/v1"
      credential = "sk-abcdefghijklmnop"
      [connector.a.headers]
      Authorization = "Bearer abc"
      [connector.b]
      model = 7
      model = "twice"
      [action.one]
      name = "One"
      prompt = '''
      Hello {{txet}}
      {{#if text}}'''
      connectors = ["aa"]
      hedge-after = "1s"
      [action.two]
      name = "one"
      [banana]
      x = 2024-01-01
      y = "open
      """
    let error = #expect(throws: ActionError.self) { try ConfigurationText.configuration(in: text) }
    guard case .configuration(let diagnostics)? = error else { return }
    let found = diagnostics.map { "\($0.line):\($0.column) \($0.path)" }
    #expect(
      found == [
        "2:1 defualt", "4:8 connector.a.kind", "5:15 connector.a.temperature",
        "6:11 connector.a.timeout", "7:7 connector.a.url", "8:14 connector.a.credential",
        "10:17 connector.a.headers.Authorization", "12:9 connector.b.model", "13:1 connector.b",
        "18:1 action.one.prompt", "19:14 action.one.connectors", "20:15 action.one.hedge-after",
        "21:1 action.two", "22:8 action.two.name", "23:1 banana", "24:5 banana", "25:5 banana",
      ])
    #expect(diagnostics[0].message.contains("Did you mean “default”?"))
    #expect(diagnostics[1].message.contains("“openai”"))
  }

  @Test func `a written configuration is read unchanged`() throws {
    var random = SeededNumbers(seed: 2)
    for _ in 0..<Endurance.count(full: 500, short: 50) {
      let configuration = RandomConfiguration.make(&random)
      let text = try ConfigurationText.text(of: configuration)
      #expect(try ConfigurationText.configuration(in: text) == configuration, "\(text)")
    }
  }

  @Test func `any text is written and read unchanged`() throws {
    var random = SeededNumbers(seed: 4)
    for _ in 0..<Endurance.count(full: 5_000, short: 500) {
      let text = RandomConfiguration.text(&random, upTo: 12)
      let document = TOMLDocument("x = \(SendableValue.string(text).toml)\n")
      #expect(document.tables[0].entry("x")?.value == .string(text))
    }
  }

  @Test func `a change preserves the rest of the file`() throws {
    let before = try ConfigurationText.configuration(in: Self.example)
    var after = before
    after.connectors[0].model = "qwen3"
    after.connectors[0].temperature = 0.5
    after.connectors[1].isActive = true
    after.connectors[0].headers["X-More"] = "1"
    try after.actions.edit("polish") { $0.routing.deadline = nil }
    let text = ConfigurationText.edited(
      Self.example, from: before, to: after)
    var expected = Self.example
    for (old, new) in [
      ("model = \"llama3.2\"", "model = \"qwen3\""),
      ("price-out = 2\n", "price-out = 2\ntemperature = 0.5\n"),
      ("X-Team = \"speech\"\n", "X-Team = \"speech\"\nX-More = \"1\"\n"),
      ("active = false\n", ""), ("deadline = \"1m\"\n", ""),
    ] {
      #expect(expected.contains(old))
      expected = expected.replacingOccurrences(of: old, with: new)
    }
    #expect(text == expected)
  }

  @Test func `random changes preserve comments and are read correctly`() throws {
    var random = SeededNumbers(seed: 8)
    var text = Self.example
    for _ in 0..<Endurance.count(full: 300, short: 40) {
      let before = try ConfigurationText.configuration(in: text)
      var after = before
      RandomConfiguration.change(&after, &random)
      text = ConfigurationText.edited(
        text, from: before, to: after)
      #expect(try ConfigurationText.configuration(in: text) == after)
    }
    #expect(text.hasPrefix("# My own file.\n"))
    #expect(text.contains("# what I mostly do"))
  }

  @Test func `the built-in actions are written once one was changed`() throws {
    let base = ActionConfiguration()
    var one = base
    one.connectors = [Connector(id: "local", kind: .onDevice)]
    let first = ConfigurationText.edited(
      "", from: base, to: one)
    #expect(!first.contains("\n[action."))
    var two = one
    try two.actions.edit("tone") { $0.name = "Mood" }
    let second = ConfigurationText.edited(
      first, from: one, to: two)
    #expect(second.contains("[action.translate]"))
    #expect(try ConfigurationText.configuration(in: second) == two)
  }

  @Test func `a later version is refused, and nothing else is reported`() throws {
    let error = #expect(throws: ActionError.self) {
      try ConfigurationText.configuration(in: "# x\nversion = 99\nnew = true\n")
    }
    guard case .configuration(let diagnostics)? = error else { return }
    #expect(diagnostics.map(\.line) == [2])
    #expect(diagnostics[0].message.contains("Update SpeechKit"))
  }

  @Test(arguments: ["", "deployment = \"\"\n"])
  func `Azure needs the name of a deployment`(line: String) throws {
    let error = #expect(throws: ActionError.self) {
      try ConfigurationText.configuration(
        in: "[connector.a]\nkind = \"azure\"\nurl = \"https://a.openai.azure.com\"\n" + line)
    }
    guard case .configuration(let diagnostics)? = error else { return }
    #expect(diagnostics.map(\.line) == [2] && diagnostics[0].message.contains("deployment"))
  }

  @Test func `a file without a version keeps its lines, and a new one has a heading`() throws {
    let error = #expect(throws: ActionError.self) {
      try ConfigurationText.configuration(in: "[connector.a]\nkind = 7\n")
    }
    guard case .configuration(let diagnostics)? = error else { return }
    #expect(diagnostics.map(\.line) == [2])
    var one = ActionConfiguration()
    one.connectors = [Connector(id: "local", kind: .onDevice)]
    let new = ConfigurationText.edited(
      "", from: ActionConfiguration(),
      to: one)
    #expect(new.hasPrefix("# Actions and connectors") && new.contains("version = 1"))
  }

  @Test func `an import adds, keeps, replaces or renames`() throws {
    let other = try ConfigurationText.configuration(in: Self.example)
    var mine = ActionConfiguration(connectors: [Connector(id: "quick", model: "mine")])
    var copy = mine
    #expect(try copy.take(other).kept == ["quick"])
    #expect(copy.connectors.map(\.model) == ["mine", ""])
    copy = mine
    #expect(try copy.take(other, onClash: .replace).replaced == ["quick"])
    let summary = try mine.take(other, onClash: .rename)
    #expect(
      summary.renamed == ["quick": "quick-2"] && summary.added == ["spare", "polish", "mood"])
    #expect(try mine.actions.action("polish").routing.connectors == ["quick-2", "spare"])
    _ = try ConfigurationText.text(of: mine)
  }

  @Test(arguments: [("800ms", 800), ("20s", 20_000), ("1.5m", 90_000), ("2h", 7_200_000)])
  func `durations are parsed`(text: String, milliseconds: Int) {
    #expect(DurationText.duration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "20", "s", "-1s", "1e9s", "nans", "1 s", "20sec", "999999h"])
  func `invalid durations are rejected`(text: String) {
    #expect(DurationText.duration(text) == nil)
  }
}

/// Configurations and changes that are the same in every run.
enum RandomConfiguration {
  private static let letters = Array(
    "abcXYZ019 -_\n\t\r\"'\\#=[]{}äß🙂\u{0}\u{7}\u{7F}\u{1B}\u{FEFF}\u{301}")

  static func text(_ random: inout SeededNumbers, upTo length: Int) -> String {
    String((0..<random.next(length + 1)).map { _ in letters[random.next(letters.count)] })
  }

  static func make(_ random: inout SeededNumbers) -> ActionConfiguration {
    var configuration = ActionConfiguration()
    for _ in 0..<random.next(12) { change(&configuration, &random) }
    return configuration
  }

  static func change(_ configuration: inout ActionConfiguration, _ random: inout SeededNumbers) {
    let ids = configuration.actions.all.map(\.id)
    switch random.next(11) {
    case 0:
      let id = configuration.freeConnectorID(for: "c\(random.next(8))")
      configuration.connectors.insert(
        Connector(id: id, vendor: text(&random, upTo: 5)),
        at: random.next(configuration.connectors.count + 1))
    case 1 where !configuration.connectors.isEmpty:
      let index = random.next(configuration.connectors.count)
      let id = configuration.connectors.remove(at: index).id
      for action in ids {
        try? configuration.actions.edit(action) { $0.routing.connectors.removeAll { $0 == id } }
      }
    case 2...4 where !configuration.connectors.isEmpty:
      let index = random.next(configuration.connectors.count)
      configuration.connectors[index].instructions = text(&random, upTo: 30)
      configuration.connectors[index].timeout = .milliseconds(1 + random.next(100_000))
      configuration.connectors[index].temperature = random.next(2) == 0 ? nil : random.fraction()
      configuration.connectors[index].isActive = random.next(2) == 0
      if random.next(2) == 0 {
        configuration.connectors[index].headers["X-\(random.next(3))"] = "\(random.next(9))"
      } else {
        configuration.connectors[index].headers = [:]
      }
    case 5: _ = try? configuration.actions.clone(ids[random.next(ids.count)])
    case 6 where ids.count > 2: try? configuration.actions.remove(ids[random.next(ids.count)])
    case 7: try? configuration.actions.archive(ids[random.next(ids.count)], random.next(2) == 0)
    case 8: try? configuration.actions.makeDefault(ids[random.next(ids.count)])
    case 9 where configuration.connectors.count > 1:
      configuration.connectors.shuffle(using: &random)
    default:
      let prompt = text(&random, upTo: 40).replacing("{", with: "(") + "{{text}}"
      let names = configuration.connectors.map(\.id).shuffled(using: &random)
      let number = random.next(100)
      try? configuration.actions.edit(ids[random.next(ids.count)]) { action in
        action.prompt = prompt
        action.system = number.isMultiple(of: 3) ? "" : "rules \(number)"
        action.formatting = number.isMultiple(of: 2) ? [] : ["one", "\"two\"\n"]
        action.routing.connectors = Array(names.prefix(number % 3))
        action.routing.mode =
          [
            .sequential, .parallel, .firstSuccess,
            .hedged(after: .fixed(.milliseconds(number + 1))),
          ][number % 4]
        action.variables = action.variables.merging(["v\(number % 4)": "\(number)"]) { $1 }
      }
    }
    if configuration.actions.active.isEmpty {
      try? configuration.actions.archive(configuration.actions.all[0].id, false)
    }
  }
}
