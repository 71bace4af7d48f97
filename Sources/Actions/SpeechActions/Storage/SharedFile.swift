import Foundation
import SpeechConcurrency
import SpeechFiles

/// A file that several programs change: read and replaced atomically, under a lock that the system
/// releases when a program ends.
struct SharedFile: Sendable {
  /// The maximum number of bytes that are read.
  static let maximumBytes = 4 << 20
  static let defaultTimeout = Duration.seconds(10)
  private static let pause = Duration.milliseconds(5)

  let folder: String
  let name: String
  let lockName: String

  /// Creates a reference to a file. A symbolic link is resolved to its target.
  init(_ file: URL, lockName: String) {
    let path = file.resolvingSymlinksInPath().path
    folder = (path as NSString).deletingLastPathComponent
    name = (path as NSString).lastPathComponent
    self.lockName = lockName
  }

  var path: String { (folder as NSString).appendingPathComponent(name) }

  /// Returns the content of the file; `nil` if there is none.
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
      throw .storage("“\(path)” is not a file. Move it elsewhere.")
    }
    guard let data = try? file.read(upToCount: Self.maximumBytes + 1) ?? Data() else {
      throw .storage("“\(path)” cannot be read. Check the file.")
    }
    guard data.count <= Self.maximumBytes else {
      throw .storage("“\(path)” is larger than \(Self.maximumBytes >> 20) MiB. Move it elsewhere.")
    }
    return data
  }

  /// Changes the current content of the file.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for waiting for another program that holds the lock.
  ///   - body: Receives the content and returns the new one; `nil` for no change. Called again if a
  ///     program that ignores the lock wrote in the meantime.
  /// - Throws: `ActionError.storage`; the errors of `body`.
  func change<Result: Sendable>(
    within timeout: Duration = defaultTimeout, _ body: @Sendable (Data?) throws -> (Result, Data?)
  ) async throws -> Result {
    try makeFolder()
    let end = ContinuousClock.now + timeout
    while true {
      if let result = try changeIfFree(body) { return result }
      guard ContinuousClock.now < end else {
        throw ActionError.storage(
          "Another program has locked “\(path)” for \(timeout). Try again, or end that program.")
      }
      // Polls, because a blocking wait for another program's lock could not be cancelled.
      try await ExternalWork.pause { try await Task.sleep(for: Self.pause) }
    }
  }

  /// - Returns: `nil` if the lock was taken, or if the file changed in the meantime.
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
        // An editor takes no lock. Its changes are not overwritten.
        guard try read() == before else { return nil }
        opened.sweep(name)
        try Array(after).withUnsafeBytes { try opened.replace(name, with: $0, mode: mode) }
        return result
      } ?? nil
    } catch let failure as SystemFailure {
      throw ActionError.storage(
        "“\(path)” cannot be written: \(failure). The file was not changed.")
    }
  }

  /// The permissions of the file are kept. A new file is readable by the user only.
  private var mode: mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
  }

  private func makeFolder() throws(ActionError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .storage(
        "The folder “\(folder)” cannot be created: \(error.localizedDescription). Create it "
          + "yourself.")
    }
  }
}
