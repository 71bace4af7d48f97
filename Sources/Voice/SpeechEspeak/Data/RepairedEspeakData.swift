import Foundation
import SpeechCore

/// A folder with the voices' data, in which some files are repaired and all others are links.
///
/// eSpeak NG accepts only a folder. It is created once for each state of the data, in the user's
/// folder for caches, or else in the folder for temporary files. Its name is always the same there:
/// the next process finds it again, and removes what a killed one has left of it.
struct RepairedEspeakData {
  let source: String
  /// The folder that contains the repaired folders.
  var parent = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
    .appendingPathComponent("speechkit").path
  var temporary = FileManager.default.temporaryDirectory.path

  private var files: FileManager { .default }
  /// The capacity of the library's buffer for the path, minus room for file names.
  private static let longestPath = 130

  /// Returns the folder, and creates it if necessary.
  func folder() throws(SpeechSynthesisProviderError) -> String {
    do {
      if let parent, let folder = try? made(in: parent) { return folder }
      return try made(in: privateFolder())
    } catch let error as CocoaError where error.code == .fileReadCorruptFile {
      throw .initializationFailed(
        "“\(error.filePath ?? source)” is not a dictionary of eSpeak NG. Reinstall espeak-ng-data.")
    } catch {
      throw .initializationFailed(
        "The voices of eSpeak NG could not be prepared: \(Self.reason(of: error)) "
          + "Make the folder for caches or temporary files writable.")
    }
  }

  /// Returns a folder for this user alone within the shared folder for temporary files.
  ///
  /// Another user can predict its name and create it first. It is therefore used only if it is not
  /// a link, belongs to this user, and is accessible to no other user: then no other user created
  /// it or put anything into it.
  private func privateFolder() throws -> String {
    let folder = temporary + "/speechkit-\(geteuid())"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      throw CocoaError(
        .fileWriteUnknown, userInfo: [NSFilePathErrorKey: folder, NSUnderlyingErrorKey: reason])
    }
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else {
      throw SpeechSynthesisProviderError.initializationFailed(
        "“\(folder)” exists, but is not accessible to you alone. Remove it.")
    }
    return folder
  }

  /// The reason for an error, in the system's words if Foundation has none.
  private static func reason(of error: any Error) -> String {
    guard let error = error as? CocoaError,
      let reason = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
    else { return error.localizedDescription }
    let place = error.filePath.map { "“\($0)”: " } ?? ""
    return place + String(cString: strerror(reason.code.rawValue)) + "."
  }

  private func made(in parent: String) throws -> String {
    let folder = parent + "/espeak-" + String(try fingerprint(), radix: 36) + "/espeak-ng-data"
    guard folder.utf8.count <= Self.longestPath else {
      throw CocoaError(.fileWriteInvalidFileName)
    }
    let home = (folder as NSString).deletingLastPathComponent
    if !isWhole(folder) {
      let replacements = try self.replacements()
      removeDrafts(of: home)
      let draft = home + "-" + UUID().uuidString
      try files.createDirectory(
        atPath: draft, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let lock = Self.lock(draft)
      defer {
        try? files.removeItem(atPath: draft)
        if let lock { close(lock) }
      }
      try fill(draft + "/espeak-ng-data", from: source, replacements: replacements)
      // Another process may have created it meanwhile, which is just as good; or files of it were
      // deleted.
      if rename(draft, home) != 0, !isWhole(folder) {
        try files.removeItem(atPath: home)
        try files.moveItem(atPath: draft, toPath: home)
      }
    }
    return folder
  }

  /// Removes the drafts of killed processes.
  private func removeDrafts(of home: String) {
    let (parent, name) = (
      (home as NSString).deletingLastPathComponent, (home as NSString).lastPathComponent
    )
    for other in (try? files.contentsOfDirectory(atPath: parent)) ?? []
    where other.hasPrefix(name + "-") {
      guard let lock = Self.lock(parent + "/" + other) else { continue }
      try? files.removeItem(atPath: parent + "/" + other)
      close(lock)
    }
  }

  /// Locks a folder until the returned descriptor is closed; `nil` if another process has locked
  /// it.
  private static func lock(_ folder: String) -> Int32? {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { return nil }
    if flock(number, LOCK_EX | LOCK_NB) == 0 { return number }
    close(number)
    return nil
  }

  /// True if no file is missing and no other user can have written the folder.
  private func isWhole(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
      let names = try? files.contentsOfDirectory(atPath: source)
    else { return false }
    return names.allSatisfy { files.isReadableFile(atPath: folder + "/" + $0) }
  }

  /// A value that changes with the data.
  private func fingerprint() throws -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    add("3 " + source)
    for name in try files.contentsOfDirectory(atPath: source).sorted() {
      var status = stat()
      guard stat(source + "/" + name, &status) == 0 else { continue }
      add("\(name) \(status.st_size) \(status.st_mtim.tv_sec)")
    }
    return hash
  }

  /// The repaired files, by their paths in the data.
  private func replacements() throws -> [String: Data] {
    var replacements: [String: Data] = [:]
    for path in try files.subpathsOfDirectory(atPath: source) {
      let file = source + "/" + path
      if path.hasSuffix("_dict"), let bytes = files.contents(atPath: file) {
        guard let repaired = EspeakDictionary.repaired(Array(bytes)) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file])
        }
        if repaired != Array(bytes) { replacements[path] = Data(repaired) }
      } else if path.hasPrefix("lang/"), let bytes = files.contents(atPath: file),
        let text = String(data: bytes, encoding: .utf8)
      {
        replacements[path] = EspeakVoiceFile.repaired(text).map { Data($0.utf8) }
      }
    }
    return replacements
  }

  /// Creates the folders that contain replacements, and links to everything else in them.
  private func fill(_ folder: String, from source: String, replacements: [String: Data]) throws {
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for name in try files.contentsOfDirectory(atPath: source) {
      let below = Dictionary(
        uniqueKeysWithValues: replacements.compactMap { path, data in
          path.hasPrefix(name + "/") ? (String(path.dropFirst(name.count + 1)), data) : nil
        })
      if let data = replacements[name] {
        try data.write(to: URL(fileURLWithPath: folder + "/" + name))
      } else if below.isEmpty {
        try files.createSymbolicLink(
          atPath: folder + "/" + name, withDestinationPath: source + "/" + name)
      } else {
        try fill(folder + "/" + name, from: source + "/" + name, replacements: below)
      }
    }
  }
}
