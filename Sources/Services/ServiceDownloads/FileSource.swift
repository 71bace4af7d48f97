import Foundation
import SpeechFiles

/// The origin of published files: the publisher, a mirror, a folder, or a single file.
package enum FileSource: Sendable, Equatable {
  case publisher
  /// A server that has files of the published names at this address.
  case mirror(URL)
  /// A folder with files of the published names, or the file itself.
  case local(String)

  /// An address, or the path of a folder or file.
  ///
  /// - Returns: `nil` if the text is an address of another kind than HTTP.
  package init?(_ text: String) {
    guard let scheme = text.firstRange(of: "://").map({ text[..<$0.lowerBound].lowercased() })
    else {
      self = .local(text)
      return
    }
    guard ["http", "https"].contains(scheme), let url = URL(string: text), url.host() != nil else {
      return nil
    }
    self = .mirror(url)
  }

  /// True if it is one file on this machine, and not a folder.
  package var isFile: Bool {
    guard case .local(let path) = self else { return false }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue
  }

  /// True if no server is asked.
  package var isLocal: Bool { if case .local = self { true } else { false } }

  /// The address of a file, unless the source is on this machine.
  func address(of file: PublishedFile) -> URL? {
    switch self {
    case .publisher: URL(string: file.address)
    case .mirror(let url):
      url.lastPathComponent == file.fileName ? url : url.appending(path: file.fileName)
    case .local: nil
    }
  }

  /// The path of a file, if the source is on this machine.
  func path(of file: PublishedFile) -> String? {
    guard case .local(let path) = self else { return nil }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? "\(path)/\(file.fileName)" : path
  }
}
