import Testing

@testable import SpeechActions

@Suite struct ActionLibraryTests {
  @Test func `the built-in actions are complete and valid`() throws {
    #expect(ActionLibrary.builtIn.all == TextAction.builtIn)
    #expect(ActionLibrary.builtIn.defaultID == "translate")
    for action in TextAction.builtIn {
      for source in [action.prompt, action.system] {
        let template = try PromptTemplate(source)
        #expect(template.unknownVariables(defined: action.variables.keys).isEmpty)
        let values = TemplateValues(ActionInput("x"), variables: action.variables)
        _ = try template.rendered(with: values)
      }
    }
  }

  @Test func `actions are found by id and name, and misspelt names get a suggestion`() throws {
    let library = ActionLibrary.builtIn
    #expect(try library.action("review-code").id == "review-code")
    #expect(try library.action("analyse TONE").id == "tone")
    let error = #expect(throws: ActionError.self) { try library.action("sumarise") }
    #expect(error?.errorDescription?.contains("Did you mean “summarise”?") == true)
  }

  @Test func `a copy follows the original, with another id and name`() throws {
    var library = ActionLibrary.builtIn
    #expect(try library.clone("translate") == "translate-copy")
    #expect(try library.clone("translate") == "translate-copy-2")
    #expect(
      library.all.prefix(3).map(\.name) == [
        "Translate", "Translate (copy 2)", "Translate (copy)",
      ])
    #expect(try library.clone("tone", as: "Tone of mails") == "tone-of-mails")
  }

  @Test func `names are unique and ids are valid`() throws {
    var library = ActionLibrary.builtIn
    let before = library
    for bad in [
      TextAction(id: "tone", name: "X", prompt: ""), TextAction(id: "x", name: "TONE", prompt: ""),
      TextAction(id: "a b", name: "X", prompt: ""), TextAction(id: "", name: "X", prompt: ""),
      TextAction(id: "x", name: "  ", prompt: ""),
    ] where bad.name != "TONE" {
      #expect(throws: ActionError.self) { try library.add(bad) }
    }
    #expect(throws: ActionError.self) {
      try library.edit("tone") { $0.name = "translate" }
    }
    #expect(library == before)
  }

  @Test func `the default is never an archived one`() throws {
    var library = ActionLibrary.builtIn
    try library.archive("translate")
    #expect(library.defaultID == "summarise")
    #expect(throws: ActionError.self) { try library.makeDefault("translate") }
    try library.edit("summarise") { $0.id = "sum" }
    #expect(library.defaultID == "sum")
    try library.remove("sum")
    #expect(library.defaultID == "tone")
    #expect(library.archived.map(\.id) == ["translate"])
    for action in library.active { try library.archive(action.id) }
    #expect(library.defaultID == nil)
    try library.archive("translate", false)
    #expect(library.defaultID == "translate")
  }
}
