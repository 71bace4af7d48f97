import Foundation
import SpeechKit
import TestSupport
import Testing

/// A temporary folder for a test.
struct Workshop: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func clear() { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: folder.appending(path: name))
    return path(name)
  }

  func text(of name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// All names in the folder, including hidden ones.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }
}

/// Recordings for several tests, each created once by the tool.
actor Sounds {
  static let shared = Sounds()

  /// The text of `command`.
  static let command = "go forward ten meters"
  static let grammar = """
    #JSGF V1.0;
    grammar moves;
    public <move> = go (forward | backward) (one | two | ten) meters;
    """

  /// In the build folder, because no code runs after the last test.
  private let folder = Tool.executable.deletingLastPathComponent()
    .appending(path: "speechkit-test-sounds", directoryHint: .isDirectory)
  private var made: [String: Task<URL, any Error>] = [:]
  private lazy var grammarFile = Task { [folder] in
    try Self.write(Sounds.grammar, to: "moves.gram", in: folder)
  }

  /// “go forward ten meters”, in a clear voice.
  func command() async throws -> String { try await file("command.wav", saying: [Self.command]) }

  /// A minute of commands, separated by pauses.
  func manyCommands() async throws -> String {
    let sound = try await separateCommands(20)
    let task =
      made["commands.wav"]
      ?? Task { [folder] in
        let url = folder.appending(path: "commands.wav")
        try AudioFile.write(sound, to: url)
        return url
      }
    made["commands.wav"] = task
    return try await task.value.path
  }

  /// That many commands, separated by pauses.
  func separateCommands(_ count: Int) async throws -> PCMBuffer {
    let sound = try AudioFile.read(URL(filePath: await command()), as: .recognition)
    var long = PCMBuffer(format: .recognition)
    for _ in 0..<count {
      long.append(sound)
      long.append(.silence(.seconds(1), format: .recognition))
    }
    return long
  }

  /// The command, and after a pause a sentence that is in no grammar of these tests.
  func commandAndChatter() async throws -> String {
    let chatter = try await file("brother.wav", saying: ["My brother is moving to another city."])
    var sound = try AudioFile.read(URL(filePath: await command()), as: .recognition)
    sound.append(.silence(.seconds(2), format: .recognition))
    sound.append(try AudioFile.read(URL(filePath: chatter), as: .recognition))
    let url = folder.appending(path: "chatter-\(UUID().uuidString).wav")
    try AudioFile.write(sound, to: url)
    return url.path
  }

  func grammar() async throws -> String { try await grammarFile.value }

  private func file(_ name: String, saying lines: [String]) async throws -> String {
    let task =
      made[name]
      ?? Task { [folder] in
        let text = try Self.write(lines.joined(separator: "\n"), to: name + ".txt", in: folder)
        let url = folder.appending(path: name)
        let said = try await Tool("say", "-v", "flite:slt", "--file", text, "-o", url.path).run()
        try #require(said.status == 0, "\(said.errors)")
        return url
      }
    made[name] = task
    return try await task.value.path
  }

  private static func write(_ text: String, to name: String, in folder: URL) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }
}

/// The grammar of the demo, in the package of this file.
enum DemoGrammar {
  static let path = ProjectFolder.root.appending(path: "models/demo.gram").path
}
