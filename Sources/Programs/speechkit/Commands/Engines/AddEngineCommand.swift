import ServiceDownloads
import SpeechCommand
import SpeechConcurrency
import SpeechFiles
import SpeechKit

struct AddEngineCommand: Command {
  static let about = CommandDeclaration(
    name: "engines add",
    summary: "Install the library or a model of an engine",
    discussion: """
      Downloads the files, checks their published digests and installs them for you alone. A file
      appears under its name when it is whole and checked.

      A download that ended early, also by Ctrl-C, is resumed by the same command. If the publisher
      cannot be reached, --from or the environment variable SPEECHKIT_MIRROR names a server that has
      files of the same names, a folder with them, or the file itself. With SPEECHKIT_OFFLINE=1
      only folders and files are used.

      The library of whisper is taken from a Python package of the Python Package Index, because
      Debian has none; Python is not needed. It is a program: its digest is checked before it is
      unpacked.
      """,
    examples: [
      "speechkit engines add whisper whisper:tiny.en": "Install the library and a small model",
      "speechkit engines add whisper:base --from /media/stick": "Install from a folder",
      "speechkit engines add whisper --from pywhispercpp-1.5.1-….whl":
        "Install from a file, such as `pip download` leaves",
      "speechkit engines add whisper:tiny.en --from mine.bin --sha256 $(sha256sum mine.bin | cut "
        + "-c1-64)":
        "Install a model that you converted yourself",
    ],
    exits: [
      .badData: "A file is not the published one.",
      .noInput: "The file of --from is missing or cannot be read.",
      .unavailable: "The server cannot be reached or refuses, or the network is switched off.",
      .cannotCreate: "The file cannot be written, or there is another one in its place.",
    ])

  @Argument(
    "NAME", .choices(OfferedFile.names), isRequired: true,
    help: "The names of files, as `speechkit engines` lists them.")
  var names: [String]
  @Option(
    "--from", as: .fileSource, help: "The address of a mirror, or the path of a folder or file.")
  var source: FileSource?
  @Option(
    "--sha256", as: .sha256,
    help: "The digest of a file of your own, which is then expected instead of the published one.")
  var digest: String?

  func validate() throws {
    _ = try files
    guard digest == nil || (source != nil && names.count == 1) else {
      throw UsageError("--sha256 goes with --from and one NAME.")
    }
    let isOneFile = try chosenSource.isFile
    guard names.count == 1 || !isOneFile else {
      throw UsageError(
        "--from names one file, and \(names.count) are to be installed. Name a folder that has "
          + "all of them, or install one after the other.")
    }
  }

  private var files: [OfferedFile] {
    get throws { try names.map { name throws(UsageError) in try OfferedFile.named(name) } }
  }

  private var chosenSource: FileSource {
    get throws { try source ?? .mirrorOfEnvironment ?? .publisher }
  }

  func run(on terminal: Terminal) async throws {
    let source = try chosenSource
    for file in try files { try await add(file, from: source, on: terminal) }
  }

  private func add(
    _ offered: OfferedFile, from source: FileSource, on terminal: Terminal
  ) async throws {
    let file = offered.file
    let bar = ProgressBar(title: "\(file.name), \(file.size.megabytes)")
    let count = Guarded(0)
    let outcome: FileInstaller.Outcome
    do {
      outcome = try await FileInstaller().add(
        file, to: offered.folder, from: source, digest: digest.map { .sha256($0) }
      ) { done, size in
        count.withLock { $0 = done }
        await terminal.showStatus(bar.text(Double(done) / Double(max(1, size))))
      }
    } catch is CancellationError {
      await terminal.showStatus("")
      let kept = count.withLock { $0 }
      if kept > 0, !source.isLocal {
        await terminal.note(
          "speechkit: Interrupted: \(kept.megabytes) of “\(file.fileName)” are kept: run the same "
            + "command again to resume.")
      }
      throw CancellationError()
    }
    await terminal.showStatus("")
    switch outcome {
    case .installed(let path): await terminal.note("“\(file.name)” is installed in “\(path)”.")
    case .present(let path):
      await terminal.note("“\(file.name)” is already installed in “\(path)”.")
    }
    await report(offered, outcome.path, on: terminal)
  }

  /// Notes what keeps the file from being used.
  private func report(_ offered: OfferedFile, _ path: String, on terminal: Terminal) async {
    let used = offered.installed
    if used == nil {
      await terminal.note(
        "It cannot be loaded: `speechkit engines test \(offered.engine.engine)` names the reason.")
    } else if let used, used.path != path, !used.path.hasPrefix(path + "/") {
      await terminal.note("“\(used.path)” is used instead, because it is found first.")
    }
    guard let library = offered.library, library.installed == nil,
      !names.contains(library.file.name)
    else { return }
    await terminal.note(
      "It needs \(library.file.title): `speechkit engines add \(library.file.name)` installs it.")
  }
}

extension FileInstaller.Outcome {
  fileprivate var path: String {
    switch self {
    case .installed(let path), .present(let path): path
    }
  }
}

extension FileSource {
  /// The mirror in `SPEECHKIT_MIRROR`, if it is set.
  fileprivate static var mirrorOfEnvironment: FileSource? {
    get throws(UsageError) {
      guard let text = ProcessInfo.processInfo.environment["SPEECHKIT_MIRROR"], !text.isEmpty else {
        return nil
      }
      guard let source = FileSource(text) else {
        throw UsageError("SPEECHKIT_MIRROR is “\(text)”, which is neither an address nor a path.")
      }
      return source
    }
  }
}

extension ValueFormat where Value == FileSource {
  fileprivate static var fileSource: Self {
    Self("URL|PATH", .input) { text, option in
      guard !text.isEmpty, let source = FileSource(text) else {
        throw UsageError("\(option) takes an address with http or https, or a path, not “\(text)”")
      }
      return source
    }
  }
}

extension ValueFormat where Value == String {
  fileprivate static var sha256: Self {
    Self("DIGEST") { text, option in
      guard text.count == 64, text.allSatisfy(\.isHexDigit) else {
        throw UsageError("\(option) takes 64 hexadecimal digits, as `sha256sum` prints them")
      }
      return text.lowercased()
    }
  }
}
