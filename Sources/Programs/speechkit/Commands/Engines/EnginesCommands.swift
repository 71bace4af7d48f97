import ServiceDownloads
import SpeechCommand
import SpeechFiles
import SpeechKit
import SpeechText

enum EnginesCommands {
  static let group: CommandNode = {
    var declaration = CommandDeclaration(
      name: "engines",
      summary: "List, install, remove and test further engines and their models",
      discussion: """
        Whisper recognises free speech far better than the built-in recogniser. Its library and its
        models are not part of SpeechKit; `speechkit engines add whisper whisper:tiny.en` installs
        them for you alone, in speechkit/whisper in $XDG_DATA_HOME or ~/.local/share.

        Nothing is downloaded unless you ask for it. Files that are already on this machine can be
        used without installing them: --recogniser whisper:FILE names a model, and SPEECHKIT_WHISPER
        the library or its folder.

        Without a command, the engines are listed.
        """,
      examples: [
        "speechkit engines": "List what is installed, and what can be",
        "speechkit engines add whisper whisper:tiny.en": "Install the library and a model",
        "speechkit engines test whisper:tiny.en": "Check that it understands a sentence",
      ])
    declaration.defaultCommand = "list"
    return .group(
      declaration,
      [
        .command(ListEnginesCommand.self), .command(AddEngineCommand.self),
        .command(RemoveEngineCommand.self), .command(TestEngineCommand.self),
      ])
  }()
}

/// A published file with the engine that it is for.
struct OfferedFile: Sendable {
  let file: PublishedFile
  let engine: PublishedFileSet

  static let all = PublishedFileSet.standard.flatMap { engine in
    engine.files.map { OfferedFile(file: $0, engine: engine) }
  }

  static var names: [String] { all.map(\.file.name) }

  /// The file of that name.
  static func named(_ name: String) throws(UsageError) -> OfferedFile {
    if let found = all.first(where: { $0.file.name == name }) { return found }
    let nearest = NearestName.of(name, among: names).map { " Did you mean “\($0)”?" } ?? ""
    throw UsageError("There is no “\(name)” to install.\(nearest) `speechkit engines` lists all.")
  }

  var folder: URL? { engine.folder(file) }

  /// The place where the engine finds the file.
  var installed: PublishedFileSet.Installed? {
    engine.installed().first { $0.name == file.name }
  }

  /// The library of the engine, which a model is of no use without.
  var library: OfferedFile? {
    engine.files.first { $0.unpackedFolder != nil && $0.name != file.name }
      .map { OfferedFile(file: $0, engine: engine) }
  }
}
