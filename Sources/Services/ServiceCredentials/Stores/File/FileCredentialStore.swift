import Foundation
import SpeechConcurrency
import SpeechFiles

/// Keeps secrets in a file that only its owner may read: `speechkit/credentials/credentials.json`
/// in `$XDG_DATA_HOME`, which defaults to `~/.local/share`.
///
/// The file is among the user's data and not the configuration, because many people publish their
/// configuration. The folder is created with mode 0700 and the file with 0600. Files and folders
/// that others can access, symbolic links, and anything owned by another user are refused. A change
/// replaces the file in one step, under a lock shared by all programs, so that no change is lost
/// and a killed process leaves either the old or the new file. The secrets are not encrypted.
public actor FileCredentialStore: CredentialStore {
  private static let fileName = "credentials.json"
  private static let lockName = "credentials.lock"
  private static let sizeLimit = 4 << 20

  /// The name of this store, `file`.
  public nonisolated let name = "file"

  private let folder: @Sendable () -> String?
  private let timeout: Duration
  private let executor = SerialQueueExecutor(label: "speechkit.credentials.file")

  /// A serial queue, because file access blocks and must not occupy the shared pool.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens the file of a user with the given environment, or else the user's own file.
  public init(environment: [String: String]? = nil) {
    self.init(timeout: .seconds(10)) {
      Self.folder(in: environment ?? ProcessInfo.processInfo.environment)
    }
  }

  /// Opens the file in that folder, which is created by the first store.
  ///
  /// - Parameter timeout: how long to wait while another program changes the file.
  public init(folder: URL, timeout: Duration = .seconds(10)) {
    let path = folder.path
    self.init(timeout: timeout) { path }
  }

  private init(timeout: Duration, folder: @escaping @Sendable () -> String?) {
    self.timeout = timeout
    self.folder = folder
  }

  /// Returns the secret, or `nil` if the file does not have it.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    let path = try path()
    guard let folder = try PrivateFolder.open(path, isNeeded: false) else { return nil }
    return try Self.entries(in: folder, path).first { $0.credential.isAbout(id) }
  }

  /// Describes all secrets in the file.
  public func list() async throws -> [AICredential] {
    let path = try path()
    guard let folder = try PrivateFolder.open(path, isNeeded: false) else { return [] }
    return try folder.read(Self.fileName, upTo: Self.sizeLimit) { bytes in
      try CredentialDocument.credentials(in: bytes, path: "\(path)/\(Self.fileName)")
    } ?? []
  }

  /// Replaces the current entry by the result of the body.
  public func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    let path = try path()
    let end = ContinuousClock.now + timeout
    while true {
      if try change(id, in: path, body) { return }
      guard ContinuousClock.now < end else {
        throw AICredentialError.storageFailed(
          "Another program has been changing the credentials in “\(path)” for \(timeout). "
            + "Try again, or end that program.")
      }
      // The release of another program's lock is not signalled, and a blocking wait could not be
      // ended.
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Changes the entry; false if another program holds the lock.
  private func change(
    _ id: CredentialID, in path: String,
    _ body: (CredentialEntry?) throws -> CredentialEntry?
  ) throws -> Bool {
    // Removing something needs no folder.
    guard let folder = try PrivateFolder.open(path, isNeeded: false) else {
      guard try body(nil) != nil else { return true }
      _ = try PrivateFolder.open(path, isNeeded: true)
      return try change(id, in: path, body)
    }
    return try folder.withLock(Self.lockName) {
      var entries = try Self.entries(in: folder, path)
      let index = entries.firstIndex { $0.credential.isAbout(id) }
      let new = try body(index.map { entries[$0] })
      switch (index, new) {
      case (let index?, let new?): entries[index] = new
      case (let index?, nil): entries.remove(at: index)
      case (nil, let new?): entries.append(new)
      case (nil, nil): return
      }
      try Self.write(entries, into: folder, path)
    } != nil
  }

  private static func write(
    _ entries: [CredentialEntry], into folder: borrowing PrivateFolder, _ path: String
  ) throws {
    try CredentialDocument.withBytes(of: entries) { bytes in
      guard bytes.count <= sizeLimit else {
        throw AICredentialError.storageFailed(
          "“\(path)/\(fileName)” would become larger than \(sizeLimit >> 20) MiB. "
            + "Remove credentials that you do not need.")
      }
      try folder.replace(fileName, with: bytes)
    }
  }

  private static func entries(
    in folder: borrowing PrivateFolder, _ path: String
  ) throws -> [CredentialEntry] {
    try folder.read(fileName, upTo: sizeLimit) { bytes in
      try CredentialDocument.entries(in: bytes, path: "\(path)/\(fileName)")
    } ?? []
  }

  private func path() throws(AICredentialError) -> String {
    guard let path = folder() else {
      throw .storeUnavailable(
        "There is no home folder for credentials. Set HOME or XDG_DATA_HOME.")
    }
    return path
  }

  private static func folder(in environment: [String: String]) -> String? {
    BaseFolder.data.path(environment).map {
      ($0 as NSString).appendingPathComponent("speechkit/credentials")
    }
  }
}
