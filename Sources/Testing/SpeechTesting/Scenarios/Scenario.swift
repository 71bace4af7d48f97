import SpeechLab

/// A conversation with a voice loop that is told in a file: what the loop is made of, who says what and when, what
/// goes wrong, and what is expected.
///
/// ```
/// scenario "The kitchen light"
/// grammar home.commands
/// reply "The {room} light is {state}." to switch_light
/// person Anna flite:slt
/// noise babble 15 dB
///
/// Anna says "turn on the kitchen light" at 1 s
///
/// expect intent switch_light room=kitchen within 2 s
/// expect said "The kitchen light is on."
/// expect first sound within 800 ms
/// ```
/// ```swift
/// let outcome = try await Scenario(contentsOf: file).run()
/// print(outcome.account)
/// ```
public struct Scenario: Sendable {
  /// What hears.
  public enum Recogniser: Sendable, Hashable {
    /// A recogniser of the catalogue, with the grammar, or for dictation without one; an empty name is
    /// the catalogue's first one.
    case named(String)
    /// Every word is heard as it was said: for conversations in which recognition is not tested.
    case exact
  }

  /// What is answered.
  public enum Reply: Sendable, Hashable {
    /// That, to an intent; slots stand in braces.
    case toIntent(String, text: String)
    /// That, when its turn has come among those that are for no intent; the first again behind the last.
    case inTurn(String)
    /// What was said.
    case echo
  }

  /// An expectation, and in which line of the file it stands.
  public struct Expected: Sendable, Hashable {
    /// What is expected.
    public var expectation: ConversationExpectation
    /// The line, counted from one.
    public var line: Int
  }

  /// What it is called.
  public var name: String
  /// The file; `nil` for a text.
  public var file: URL?
  /// What hears.
  public var recogniser = Recogniser.named("")
  /// What may be said; `nil` for anything.
  public var grammar: TestedGrammar?
  /// From which confidence on a sentence is believed.
  public var acceptance = PocketSphinxAcceptance.recommended
  /// Who answers.
  public var voice = Speaker(.flite, voice: "rms")
  /// How turns are taken.
  public var rules = TurnRules()
  /// What is said first; nothing if empty.
  public var greeting = ""
  /// What is answered.
  public var replies: [Reply] = []
  /// What the people say, and where.
  public var script = ConversationScript()
  /// What goes wrong with the responder, by the number of the turn.
  public var responderFaults: [Int: FaultyResponder.Fault] = [:]
  /// What goes wrong with the voice that answers, by the number of the request to it.
  public var voiceFaults: [Int: FaultyResponder.Fault] = [:]
  /// When the recogniser dies.
  public var recogniserDeaths: [Duration] = []
  /// What is expected.
  public var expectations: [Expected] = []

  /// A scenario in which nothing happens.
  public init(name: String) { self.name = name }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - file: where it comes from; other files are looked for beside it.
  /// - Throws: `ScenarioError`.
  public init(_ text: String, file: URL? = nil) throws(ScenarioError) {
    self = try ScenarioReader.read(text, file: file)
  }

  /// Reads a file.
  ///
  /// - Throws: `ScenarioError`.
  public init(contentsOf file: URL) throws(ScenarioError) {
    let text: String
    do {
      text = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw ScenarioError([
        .init(
          file: file.relativePath, line: nil, column: nil,
          message: "It cannot be read as text: \(error.localizedDescription)")
      ])
    }
    try self.init(text, file: file)
  }
}

/// Everything that is wrong with a scenario, each with its place.
public struct ScenarioError: Error, LocalizedError, Sendable, Equatable {
  /// In the order of the text; never empty.
  public var diagnostics: [FileDiagnostic]

  init(_ diagnostics: [FileDiagnostic]) { self.diagnostics = diagnostics }

  /// One line for each diagnostic.
  public var errorDescription: String? {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

extension Scenario {
  /// The scenarios in a folder and all that is in it, sorted; the file itself for a file.
  ///
  /// - Throws: what the file system throws.
  public static func files(in place: URL) throws -> [URL] {
    var isFolder: ObjCBool = false
    let path = place.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return [place] }
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".scenario") }.sorted().map { place.appending(path: $0) }
  }
}
