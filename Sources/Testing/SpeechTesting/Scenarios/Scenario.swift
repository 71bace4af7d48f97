import SpeechLab

/// A conversation with a voice loop, described in a file: the parts of the loop, the lines and
/// their cues, the faults, and the expectations.
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
  /// The recognisers of a scenario.
  public enum Recogniser: Sendable, Hashable {
    /// A recogniser of the catalogue, with the grammar, or for dictation without one. An empty name
    /// is the default recogniser.
    case named(String)
    /// Every word is recognised as it was spoken, for conversations that do not test recognition.
    case exact
  }

  /// A part of a reply that arrives at once.
  public struct ReplyPart: Sendable, Hashable {
    /// The text of the part.
    public var text: String
    /// The time that passes before the part, as while a function is called.
    public var delay: Duration

    /// Creates a part.
    public init(_ text: String, after delay: Duration = .zero) {
      self.text = text
      self.delay = delay
    }
  }

  /// The replies of a scenario.
  public enum Reply: Sendable, Hashable {
    /// The reply to an intent, with slots in braces.
    case toIntent(String, text: String)
    /// The next reply for turns without a reply to their intent. After the last one comes the first
    /// again.
    case inTurn([ReplyPart])
    /// The user's own words.
    case echo
  }

  /// An expectation with its line in the file.
  public struct Expected: Sendable, Hashable {
    /// The expectation of that line.
    public var expectation: ConversationExpectation
    /// The line, counted from one.
    public var line: Int
  }

  /// The name in reports.
  public var name: String
  /// The file of the scenario; `nil` for a text.
  public var file: URL?
  /// The recogniser of the loop.
  public var recogniser = Recogniser.named("")
  /// The grammar of the recogniser; `nil` for dictation.
  public var grammar: TestedGrammar?
  /// The confidence from which on a sentence is accepted.
  public var acceptance = PocketSphinxAcceptance.recommended
  /// The voice of the loop.
  public var voice = Speaker(.flite, voice: "rms")
  /// The rules of turn-taking.
  public var rules = TurnRules()
  /// The text that is spoken first; empty for none.
  public var greeting = ""
  /// The replies in order.
  public var replies: [Reply] = []
  /// The lines, their cues, and the acoustic scene.
  public var script = ConversationScript()
  /// The faults of the responder, by the number of the turn.
  public var responderFaults: [Int: FaultyResponder.Misbehaviour] = [:]
  /// The faults of the loop's voice, by the number of the request to it.
  public var voiceFaults: [Int: FaultyResponder.Misbehaviour] = [:]
  /// The times at which the recogniser breaks.
  public var recogniserDeaths: [Duration] = []
  /// The expectations in order.
  public var expectations: [Expected] = []

  /// Creates an empty scenario.
  public init(name: String) { self.name = name }

  /// Reads a scenario from text.
  ///
  /// - Parameters:
  ///   - file: The file of the text. Other files are looked up next to it.
  /// - Throws: `ScenarioError`.
  public init(_ text: String, file: URL? = nil) throws(ScenarioError) {
    self = try ScenarioReader.read(text, file: file)
  }

  /// Reads a scenario from a file.
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
          message: "The file cannot be read as text: \(error.localizedDescription)")
      ])
    }
    try self.init(text, file: file)
  }
}

/// The errors of a scenario, each with its position.
public struct ScenarioError: Error, LocalizedError, Sendable, Equatable {
  /// The diagnostics in the order of the text; never empty.
  public var diagnostics: [FileDiagnostic]

  init(_ diagnostics: [FileDiagnostic]) { self.diagnostics = diagnostics }

  /// One line for each diagnostic.
  public var errorDescription: String? {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

extension Scenario {
  /// Returns the scenarios of a folder and its subfolders, sorted; for a file, the file itself.
  ///
  /// - Throws: The errors of the file system.
  public static func files(in place: URL) throws -> [URL] {
    var isFolder: ObjCBool = false
    let path = place.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return [place] }
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".scenario") }.sorted().map { place.appending(path: $0) }
  }
}
