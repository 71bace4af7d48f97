import Foundation

/// A file that others publish and that a user may install: a model, or an archive with a library.
package struct PublishedFile: Sendable {
  /// A digest in hexadecimal digits.
  package enum Digest: Sendable, Hashable {
    case sha1(String)
    case sha256(String)
  }

  /// A figure about the file, and its origin.
  package struct Figure: Sendable, Hashable {
    package var value: Double
    /// True if it was measured on the corpus of this project; false if the authors of the model
    /// publish it.
    package var isMeasured: Bool

    package static func measured(_ value: Double) -> Figure {
      Figure(value: value, isMeasured: true)
    }

    package static func published(_ value: Double) -> Figure {
      Figure(value: value, isMeasured: false)
    }
  }

  /// The name by which users choose it: `whisper:tiny.en`.
  package var name: String
  /// The name that is displayed: “Whisper tiny.en”.
  package var title: String
  /// The complete address.
  package var address: String
  /// The size in bytes.
  package var size: Int
  /// The digest that its publisher states.
  package var digest: Digest
  /// The languages; empty for a library.
  package var languages = ""
  package var licence: String
  /// The share of words that are recognised wrongly, in percent; `nil` if it is unknown.
  package var wordErrors: Figure?
  /// The processor time for a second of speech, in seconds; `nil` if it is unknown.
  package var processorTime: Figure?
  /// The folder of an archive that is installed in the file's place; `nil` for a plain file.
  package var unpackedFolder: String?
  /// The features of the processor that it cannot do without, as `/proc/cpuinfo` names them.
  package var processorFeatures: [String] = []

  package init(
    _ name: String, title: String, address: String, size: Int, digest: Digest, licence: String
  ) {
    (self.name, self.title, self.address) = (name, title, address)
    (self.size, self.digest, self.licence) = (size, digest, licence)
  }

  /// The last part of the address.
  package var fileName: String { (address as NSString).lastPathComponent }
}

/// The published files for an engine, and the places where they are installed.
package struct PublishedFileSet: Sendable {
  /// A file of the engine on this machine.
  package struct Installed: Sendable, Hashable {
    package var name: String
    package var path: String

    package init(name: String, path: String) { (self.name, self.path) = (name, path) }
  }

  /// The name of the engine: `whisper`.
  package let engine: String
  package let files: [PublishedFile]
  /// The user's folder for a file; `nil` for a user without a home.
  package let folder: @Sendable (PublishedFile) -> URL?
  /// Finds the files on this machine, also those that were not installed from here.
  package let installed: @Sendable () -> [Installed]

  package init(
    engine: String, files: [PublishedFile], folder: @escaping @Sendable (PublishedFile) -> URL?,
    installed: @escaping @Sendable () -> [Installed]
  ) {
    (self.engine, self.files) = (engine, files)
    (self.folder, self.installed) = (folder, installed)
  }
}
