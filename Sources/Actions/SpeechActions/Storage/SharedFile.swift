import Foundation
import SpeechConcurrency
import SpeechFiles

/// A file that several programs change: read and replaced under a lock that the system gives back when a
/// program ends, in one step that happens or not.
struct SharedFile: Sendable {
  /// The most bytes that are read.
  static let maximumBytes = 4 << 20
  static let defaultTimeout = Duration.seconds(10)
  private static let pause = Duration.milliseconds(5)

  let folder: String
  let name: String
  let lockName: String

  /// A file. Where the path is a link, it is the file that the link leads to.
  init(_ file: URL, lockName: String) {
    let path = file.resolvingSymlinksInPath().path
    folder = (path as NSString).deletingLastPathComponent
    name = (path as NSString).lastPathComponent
    self.lockName = lockName
  }

  var path: String { (folder as NSString).appendingPathComponent(name) }

  /// What is in the file; `nil` when there is none.
  ///
  /// - Throws: `ActionError.storage`.
  func read() throws(ActionError) -> Data? {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw .storage("“\(path)” cannot be read: \(SystemFailure(code: errno)).")
    }
    let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .storage("“\(path)” is not a file. Move it away.")
    }
    guard let data = try? file.read(upToCount: Self.maximumBytes + 1) ?? Data() else {
      throw .storage("“\(path)” cannot be read.")
    }
    guard data.count <= Self.maximumBytes else {
      throw .storage("“\(path)” is larger than \(Self.maximumBytes >> 20) MiB. Move it away.")
    }
    return data
  }

  /// Changes the file as it is now.
  ///
  /// - Parameters:
  ///   - timeout: how long another program may keep the file for itself.
  ///   - body: gets what is in the file and returns what shall be in it, `nil` for no change. May be called
  ///     again when somebody who heeds no lock wrote meanwhile.
  /// - Throws: `ActionError.storage`; what the body throws.
  func change<Result: Sendable>(
    within timeout: Duration = defaultTimeout, _ body: @Sendable (Data?) throws -> (Result, Data?)
  ) async throws -> Result {
    try makeFolder(folder)
    let end = ContinuousClock.now + timeout
    while true {
      if let result = try changeIfFree(body) { return result }
      guard ContinuousClock.now < end else {
        throw ActionError.storage(
          "Another program has been changing “\(path)” for \(timeout). Try again, or end it.")
      }
      // A lock that another program holds tells nobody when it is free, and a wait for it could not end.
      try await Task.sleep(for: Self.pause)
    }
  }

  /// - Returns: `nil` when the lock was not free, or the file was written meanwhile.
  private func changeIfFree<Result: Sendable>(
    _ body: (Data?) throws -> (Result, Data?)
  ) throws -> Result? {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      throw ActionError.storage("“\(folder)” cannot be opened: \(SystemFailure(code: errno)).")
    }
    let opened = OpenFolder(descriptor: OwnedDescriptor(number), path: folder)
    do {
      return try opened.withLock(lockName) { () -> Result? in
        let before = try read()
        let (result, after) = try body(before)
        guard let after, after != before else { return result }
        // An editor takes no lock. What it wrote since is not written over.
        guard try read() == before else { return nil }
        opened.sweep(name)
        try replace(with: after, in: opened)
        return result
      } ?? nil
    } catch let failure as SystemFailure {
      throw ActionError.storage(
        "“\(path)” cannot be written: \(failure). What was there before still is.")
    }
  }

  private func replace(with data: Data, in folder: borrowing OpenFolder) throws {
    try Array(data).withUnsafeBytes { try folder.replace(name, with: $0, mode: mode) }
  }

  /// Who may do what with the file stays as it is; a new one is the user's alone.
  private var mode: mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
  }

  private func makeFolder(_ path: String) throws(ActionError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .storage(
        "The folder “\(path)” cannot be made: \(error.localizedDescription). Make it yourself.")
    }
  }
}
