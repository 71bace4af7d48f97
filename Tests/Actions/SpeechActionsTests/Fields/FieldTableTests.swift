import AIServices
import TestSupport
import Testing

@testable import SpeechActions

struct FieldTableTests {
  @Test func `keys, titles and options are unique`() {
    func check<Owner: FieldTable>(_: Owner.Type) {
      let fields = Owner.fields
      #expect(Set(fields.map(\.key)).count == fields.count)
      #expect(Set(fields.map(\.title)).count == fields.count)
      #expect(Set(fields.map(\.jsonKey)).count == fields.count)
      let options = fields.compactMap { $0.option?.name }
      #expect(Set(options).count == options.count)
      for field in fields { #expect(field.help.hasSuffix(".") && field.help.count > 10) }
      for condition in fields.compactMap(\.condition) {
        #expect(Owner.field(condition.key) != nil)
      }
    }
    check(Connector.self)
    check(TextAction.self)
  }

  @Test func `a form saves the values that it shows`() throws {
    var random = SeededNumbers(seed: 31)
    for _ in 0..<300 {
      let configuration = RandomConfiguration.make(&random)
      for connector in configuration.connectors {
        #expect(try Connector(connector.form, id: connector.id) == connector)
      }
      for action in configuration.actions.all {
        #expect(try TextAction(action.form, id: action.id) == action)
      }
    }
    let full = Connector(
      id: "x", name: "X", vendor: "V", kind: .azure(deployment: "d", apiVersion: "1"),
      baseURL: "https://x.openai.azure.com", credential: "key", model: "m",
      headers: ["X-A": "b"], timeout: .milliseconds(1_500), maxTokens: 7, temperature: 0.25,
      topP: 0.5, instructions: "Be\nbrief.", streams: false, price: .init(input: 1, output: 2),
      concurrency: 256, isActive: false)
    #expect(try Connector(full.form, id: "x") == full)
  }

  @Test func `the file, the form and the options accept the same values`() throws {
    let field = try #require(Connector.field("concurrency"))
    for (value, isAccepted) in [(0, false), (1, true), (256, true), (257, false)] {
      #expect(((try? field.type.value(of: "\(value)")) != nil) == isAccepted)
      let form: [String: SendableValue] = ["concurrency": .int(value)]
      #expect(((try? Connector(form, id: "a")) != nil) == isAccepted)
      let text = "[connector.a]\nkind = \"openai\"\nconcurrency = \(value)\n"
      #expect(((try? ConfigurationText.configuration(in: text)) != nil) == isAccepted)
    }
  }

  @Test func `a field that does not apply is ignored in a form and refused in a file`() throws {
    let form: [String: SendableValue] = ["kind": "openai", "deployment": "gpt"]
    #expect(try Connector(form, id: "a").kind == .openAICompatible)
    let error = #expect(throws: ActionError.self) {
      try ConfigurationText.configuration(in: "[connector.a]\ndeployment = \"gpt\"\n")
    }
    guard case .configuration(let diagnostics)? = error else { return }
    #expect(diagnostics.map(\.message) == ["It applies only with kind = \"azure\"."])
  }

  @Test(arguments: [
    ("temperature", SendableValue.int(3), "“Temperature” must be a number from 0 to 2, not 3."),
    (
      "max-tokens", .double(1.5),
      "“Maximum output tokens” must be a whole number from 1 to 10000000, not a number."
    ),
    ("timeout", "soon", "“Timeout” must be a time like 800ms, 20s, 2m or 1h, not “soon”."),
    ("active", "yes", "“Enabled” must be true or false, not a text."),
  ])
  func `an invalid value is reported with the valid ones`(
    key: String, value: SendableValue, message: String
  ) {
    let error = #expect(throws: FieldFormError.self) { try Connector([key: value], id: "a") }
    #expect(error?.message == message)
  }

  @Test func `JSON has the names that scripts rely on`() {
    #expect(
      Set(Connector.fields.map(\.jsonKey)) == [
        "name", "kind", "vendor", "url", "deployment", "apiVersion", "credential", "model",
        "instructions", "headers", "timeoutMilliseconds", "maxTokens", "temperature", "topP",
        "streams", "priceIn", "priceOut", "concurrency", "isActive",
      ])
    #expect(
      Set(TextAction.fields.map(\.jsonKey)) == [
        "name", "prompt", "system", "variables", "output", "schema", "formatting", "after",
        "connectors", "mode", "hedgeAfterMilliseconds", "isHedgeObserved", "retries",
        "deadlineMilliseconds", "spendingCap", "spendingPeriod", "cacheMilliseconds", "privacy",
        "isArchived",
      ])
  }
}
