import SpeechCommand
import SpeechKit

/// The destination of transcripts: standard output, a file, or a folder with a file per input.
struct TranscriptOutput: Sendable {
  private enum Place {
    case standardOutput
    case file(URL)
    case folder(URL)
  }

  private let place: Place
  private let fileExtension: String

  /// - Throws: `UsageError` if two inputs would be written to the same file.
  init(_ path: String?, of files: [String], format: TranscriptFormat) throws(UsageError) {
    fileExtension = format.rawValue
    let isSubtitles = format == .srt || format == .vtt
    guard let path, path != "-" else {
      guard !isSubtitles || files.count == 1 else {
        throw UsageError("Subtitles of several files need a folder for them: --output FOLDER")
      }
      place = .standardOutput
      return
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard files.count > 1 || path.hasSuffix("/") || isFolder.boolValue else {
      place = .file(URL(filePath: path))
      return
    }
    guard !exists || isFolder.boolValue else {
      throw UsageError("--output has to be a folder for several files; “\(path)” is a file.")
    }
    place = .folder(URL(filePath: path, directoryHint: .isDirectory))
    let names = files.map { Self.stem(of: $0) }
    if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw UsageError("Two files would be written to \(twice).\(format.rawValue) in “\(path)”.")
    }
  }

  var isStandardOutput: Bool {
    if case .standardOutput = place { true } else { false }
  }

  /// Writes the transcript of an input.
  func write(_ text: String, for file: String, on terminal: Terminal) async throws {
    switch place {
    case .standardOutput:
      try await terminal.write(text)
    case .file(let url):
      try await TextOutput().write(text, to: url)
    case .folder(let folder):
      try await TextOutput().write(text, to: self.file(for: file, in: folder), in: folder)
    }
  }

  /// The files for the transcripts of the inputs; none unless the destination is a folder.
  func files(for inputs: [String]) -> [String] {
    guard case .folder(let folder) = place else { return [] }
    return inputs.map { file(for: $0, in: folder).path(percentEncoded: false) }
  }

  private func file(for input: String, in folder: URL) -> URL {
    folder.appending(path: "\(Self.stem(of: input)).\(fileExtension)")
  }

  private static func stem(of file: String) -> String {
    file == "-" ? "stdin" : URL(filePath: file).deletingPathExtension().lastPathComponent
  }
}
