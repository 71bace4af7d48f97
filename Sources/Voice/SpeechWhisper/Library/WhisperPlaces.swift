import Foundation
import SpeechFiles

/// The places where the library and its models are looked for.
package struct WhisperPlaces: Sendable, Hashable {
  /// The files of libraries, the preferred first. A name without a slash is looked up by the
  /// loader.
  package var files: [String]
  /// The folders of models, the preferred first.
  package var modelFolders: [URL]
  /// The user's folder for the library and, in `models`, for models; `nil` for a user without a
  /// home.
  package let userFolder: URL?
  /// The folder of the library in a Python package.
  static let wheelFolder = "pywhispercpp.libs"
  /// The file or folder in `SPEECHKIT_WHISPER`, if it is set.
  private var named: String?

  /// The places of this process.
  package static var current: WhisperPlaces { current(library: nil) }

  /// The places of this process, with that file or folder of the library instead of the default
  /// ones.
  package static func current(library: URL?) -> WhisperPlaces {
    WhisperPlaces(ProcessInfo.processInfo.environment, library: library)
  }

  package init(_ environment: [String: String], library: URL? = nil) {
    let own = BaseFolder.data.path(environment).map { $0 + "/speechkit/whisper" }
    userFolder = own.map { URL(filePath: $0, directoryHint: .isDirectory) }
    named = library?.path ?? environment["SPEECHKIT_WHISPER"].flatMap { $0.isEmpty ? nil : $0 }
    if let named {
      files = Self.libraries(at: named)
    } else {
      files = (own.map(Self.libraries) ?? []) + ["libwhisper.so.1", "libwhisper.so"]
    }
    modelFolders = [named, own].compactMap { $0 }.flatMap { [$0, $0 + "/models"] }
      .map { URL(filePath: $0, directoryHint: .isDirectory) }
    modelFolders += ["/usr/share/whisper.cpp/models", "/usr/local/share/whisper.cpp/models"]
      .map { URL(filePath: $0, directoryHint: .isDirectory) }
  }

  /// The text for users who have no library.
  var missing: String {
    if let named {
      return "There is no whisper.cpp library in “\(named)”. Put a file libwhisper.so there, or "
        + "name another folder."
    }
    return
      "The whisper.cpp library is not installed. Install it (`speechkit engines add whisper`), "
      + "or set SPEECHKIT_WHISPER to the file libwhisper.so or its folder."
  }

  /// The libraries in a folder, in the subfolders that builds and Python packages put them into, or
  /// the file itself.
  private static func libraries(at path: String) -> [String] {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
    guard isFolder.boolValue else { return [path] }
    for folder in [path, path + "/lib", path + "/" + wheelFolder] {
      let names = ((try? files.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasPrefix("libwhisper") && $0.contains(".so") }
      // The shortest name is the link that is meant to be loaded.
      if let name = names.min(by: { ($0.count, $0) < ($1.count, $1) }) {
        return ["\(folder)/\(name)"]
      }
    }
    return []
  }
}
