import Foundation
import SpeechFiles

/// An error of installing a published file.
package enum DownloadError: Error, Sendable, Equatable {
  /// The server was not reached, or answered with an error; the message says what to do.
  case unavailable(String)
  /// A redirect leads to an address that is not followed.
  case unsafeRedirect(String)
  /// The transfer ended early. The beginning is kept.
  case incomplete(name: String, kept: Int, reason: String)
  /// The file is another one than the published one. It was removed, unless it is the user's.
  case wrongDigest(source: String, found: PublishedFile.Digest, expected: PublishedFile.Digest)
  /// A file to copy from cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// The disk has too little space for the file.
  case noSpace(folder: String, needed: Int, free: Int)
  /// Another program is installing or removing the same file.
  case inUse(path: String)
  /// There is another file in the place of the published one.
  case occupied(path: String, name: String)
  /// The archive cannot be unpacked.
  case damagedArchive(path: String, reason: String)
  /// The processor lacks features that the library needs.
  case unsuitedProcessor(title: String, missing: [String])
  /// The user has no home, and so no folder for the file.
  case noFolder
}

extension DownloadError {
  /// True if the file is of no use, wherever it comes from.
  var isOfContent: Bool {
    switch self {
    case .wrongDigest, .damagedArchive: true
    default: false
    }
  }
}

extension DownloadError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .unavailable(let text): text
    case .unsafeRedirect(let address):
      // Some servers put a password into the address.
      "The server redirects to “\(address.replacing(/\/\/[^\/]*@/, with: "//••••@"))”, which is "
        + "not safe to follow. Name another server or a folder with --from."
    case .incomplete(let name, let kept, let reason):
      "\(reason) \(kept.megabytes) of “\(name)” are kept: run the same command again to resume."
    case .wrongDigest(let source, let found, let expected):
      "“\(source)” is not the published file: its \(found.title) is \(found.digits) instead of "
        + "\(expected.digits). It is not installed. Use another source, or, for a file of your "
        + "own, state its digest with --sha256."
    case .unreadable(let path, let reason): "“\(path)” cannot be read: \(reason)."
    case .unwritable(let path, let reason):
      "“\(path)” cannot be written: \(reason). Free some space or make the folder writable, and "
        + "run the same command again; what is there is used."
    case .noSpace(let folder, let needed, let free):
      "“\(folder)” has \(free.megabytes) of free space, and \(needed.megabytes) are needed. Free "
        + "some space, or set XDG_DATA_HOME to a folder on another disk."
    case .inUse(let path):
      "Another program is installing or removing “\(path)”. Wait for it to end, and run the same "
        + "command again."
    case .occupied(let path, let name):
      "“\(path)” is a different file from the published one. `speechkit engines remove \(name)` "
        + "removes it."
    case .damagedArchive(let path, let reason):
      "“\(path)” cannot be unpacked: \(reason). Use another source."
    case .unsuitedProcessor(let title, let missing):
      "\(title) needs a processor with \(missing.joined(separator: ", ")). Build whisper.cpp on "
        + "this machine, and set SPEECHKIT_WHISPER to its libwhisper.so."
    case .noFolder:
      "There is no home folder to install into. Set HOME or XDG_DATA_HOME."
    }
  }
}

extension PublishedFile.Digest {
  var digits: String {
    switch self {
    case .sha1(let digits), .sha256(let digits): digits
    }
  }

  var title: String {
    switch self {
    case .sha1: "SHA-1"
    case .sha256: "SHA-256"
    }
  }

  /// The digest with its kind: `sha256:973eafb3…`.
  package var text: String {
    switch self {
    case .sha1(let digits): "sha1:\(digits)"
    case .sha256(let digits): "sha256:\(digits)"
    }
  }
}

extension Int {
  /// A number of bytes for messages: `77.7 MB`.
  package var megabytes: String {
    self < 100_000 ? "\(self) bytes" : String(format: "%.1f MB", Double(self) / 1_000_000)
  }
}
