import Foundation

/// A set of files that is written in a folder of its own, inside that of the set, and replaces the
/// files there as a whole.
///
/// The folder has the old set or the new one, whenever the program is killed: the new one takes
/// effect when its folder is renamed. Its files are then moved to their names, and if the program
/// is killed in the meantime, the next one that reads the manifest continues. Other files in the
/// folder stay as they are.
package struct FileSetReplacement: ~Copyable {
  /// The folder for the new files, which is empty at first.
  package let draft: String
  private let folder: String
  /// The open folder, whose lock makes other replacements wait.
  private let lock: OwnedDescriptor

  private static let draftName = ".set-draft"
  private static let nextName = ".set-next"

  /// Creates the folder if necessary, and removes what killed programs left of other replacements.
  package init(_ folder: String) throws(SystemFailure) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      throw SystemFailure(code: cause.map { Int32($0.code) } ?? ENOTDIR)
    }
    let lock = try Self.open(folder)
    while flock(lock.number, LOCK_EX) != 0, errno == EINTR {}
    Self.settle(folder)
    let draft = folder + "/" + Self.draftName
    try? FileManager.default.removeItem(atPath: draft)
    guard mkdir(draft, 0o777) == 0 else { throw SystemFailure(code: errno) }
    self.folder = folder
    self.draft = draft
    self.lock = lock
  }

  deinit {
    try? FileManager.default.removeItem(atPath: draft)
    flock(lock.number, LOCK_UN)
  }

  /// Replaces the set by the files of the draft.
  package mutating func commit() throws(SystemFailure) {
    let names = Self.names(in: draft)
    try FileSet.seal(names, in: draft, isDurable: true)
    try Self.flush(draft)
    let next = folder + "/" + Self.nextName
    guard rename(draft, next) == 0 else { throw SystemFailure(code: errno) }
    fsync(lock.number)
    Self.settle(folder)
    fsync(lock.number)
  }

  /// Moves the files of a set that has taken effect to their names. Several programs may do so at
  /// the same time.
  static func settle(_ folder: String) {
    let next = folder + "/" + nextName
    for name in names(in: next).sorted(by: { last($0) < last($1) }) {
      guard rename(next + "/" + name, folder + "/" + name) == 0 || errno == ENOENT else { return }
    }
    rmdir(next)
  }

  /// The manifest is moved last, so that files that could not be moved are noticed.
  private static func last(_ name: String) -> Int { name == FileSet.manifest ? 1 : 0 }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static func flush(_ folder: String) throws(SystemFailure) {
    let opened = try open(folder)
    defer { withExtendedLifetime(opened) {} }
    // Not every file system can do so, and a caller could do nothing about it.
    fsync(opened.number)
  }

  private static func open(_ folder: String) throws(SystemFailure) -> OwnedDescriptor {
    let number = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemFailure(code: errno) }
    return OwnedDescriptor(number)
  }
}
