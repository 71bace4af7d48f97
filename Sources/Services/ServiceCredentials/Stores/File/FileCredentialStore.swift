import Foundation
import SpeechConcurrency
import SpeechFiles

/// Keeps secrets in a file that only its owner may read: `speechkit/credentials/credentials.json` in
/// `$XDG_DATA_HOME`, which is `~/.local/share` unless set.
///
/// Beside the user's data and not among the configuration, because many people publish the latter. The
/// folder is made with mode 0700 and the file with 0600; files and folders that others may look into, links,
/// and what belongs to somebody else are refused. A change replaces the file in one step, under a lock that
/// all programs share, so that none is lost and whoever is killed leaves the old or the new. The secrets are
/// not encrypted.
public actor FileCredentialStore: CredentialStore {
  private static let fileName = "credentials.json"
  private static let lockName = "credentials.lock"
  private static let mostBytes = 4 << 20

  /// “file”.
  public nonisolated let name = "file"

  private let folder: @Sendable () -> String?
  private let patience: Duration
  private let executor = SerialQueueExecutor(label: "speechkit.credentials.file")

  /// Files make wait, hence not on the threads that all tasks share.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The user's own file.
  public init() {
    self.init(patience: .seconds(10)) {
      Self.folder(in: ProcessInfo.processInfo.environment)
    }
  }

  /// The file of a user with another environment.
  public init(environment: [String: String]) {
    self.init(patience: .seconds(10)) { Self.folder(in: environment) }
  }

  /// A file in that folder, which is made when something is stored.
  ///
  /// - Parameter patience: how long to wait while another program changes the file.
  public init(folder: URL, patience: Duration = .seconds(10)) {
    let path = folder.path
    self.init(patience: patience) { path }
  }

  private init(patience: Duration, folder: @escaping @Sendable () -> String?) {
    self.patience = patience
    self.folder = folder
  }

  /// The secret, if it is there.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    let path = try path()
    guard let folder = try PrivateFolder.open(path, isNeeded: false) else { return nil }
    return try Self.entries(in: folder, path).first { $0.credential.isAbout(id) }
  }

  /// What is known of all secrets that are there.
  public func list() async throws -> [AICredential] {
    let path = try path()
    guard let folder = try PrivateFolder.open(path, isNeeded: false) else { return [] }
    return try folder.read(Self.fileName, upTo: Self.mostBytes) { bytes in
      try CredentialDocument.credentials(in: bytes, path: "\(path)/\(Self.fileName)")
    } ?? []
  }

  /// Puts what the body makes of the present entry in its place.
  public func change(
    _ id: CredentialID,
    _ body: @escaping @Sendable (CredentialEntry?) throws -> CredentialEntry?
  ) async throws {
    let path = try path()
    let end = ContinuousClock.now + patience
    while true {
      if try change(id, in: path, body) { return }
      guard ContinuousClock.now < end else {
        throw AICredentialError.storageFailed(
          "Another program has been changing the credentials in “\(path)” for \(patience). Try again, "
            + "or end it.")
      }
      // A lock that another program holds tells nobody when it is free, and a wait for it could not end.
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// - Returns: whether the lock was free.
  private func change(
    _ id: CredentialID, in path: String,
    _ body: (CredentialEntry?) throws -> CredentialEntry?
  ) throws -> Bool {
    // Whoever only wants to remove something needs no folder.
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
      folder.sweep(Self.fileName)
      try Self.write(entries, into: folder, path)
    } != nil
  }

  private static func write(
    _ entries: [CredentialEntry], into folder: borrowing PrivateFolder, _ path: String
  ) throws {
    try CredentialDocument.withBytes(of: entries) { bytes in
      guard bytes.count <= mostBytes else {
        throw AICredentialError.storageFailed(
          "“\(path)/\(fileName)” would become larger than \(mostBytes >> 20) MiB. Remove credentials "
            + "that are not needed.")
      }
      try folder.replace(fileName, with: bytes)
    }
  }

  private static func entries(
    in folder: borrowing PrivateFolder, _ path: String
  ) throws -> [CredentialEntry] {
    try folder.read(fileName, upTo: mostBytes) { bytes in
      try CredentialDocument.entries(in: bytes, path: "\(path)/\(fileName)")
    } ?? []
  }

  private func path() throws(AICredentialError) -> String {
    guard let path = folder() else {
      throw .storeUnavailable(
        "There is no home folder to keep credentials in. Set HOME or XDG_DATA_HOME.")
    }
    return path
  }

  private static func folder(in environment: [String: String]) -> String? {
    BaseFolder.data.path(environment).map {
      ($0 as NSString).appendingPathComponent("speechkit/credentials")
    }
  }
}
