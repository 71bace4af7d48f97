import Foundation
import SpeechCore

/// A folder with the voices' data in which some files are mended and all others are links.
///
/// eSpeak NG takes a folder and nothing else, so there has to be one. It is made once for each state of
/// the data and lies in the user's folder for caches. Where that cannot be, it lies in the one for temporary
/// files, in a folder that always has the same name: the next process finds it there, and nothing is left to be
/// removed by a process that may be killed.
struct MendedEspeakData {
  /// The data as installed.
  let source: String
  /// The folder in which mended ones lie.
  var parent = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
    .appendingPathComponent("speechkit").path
  /// The folder for temporary files.
  var temporary = FileManager.default.temporaryDirectory.path

  private var files: FileManager { .default }
  /// What the library's buffer for the path can take, with room for the names of files.
  private static let longestPath = 130

  /// The folder, made if need be.
  func folder() throws(SpeechSynthesisProviderError) -> String {
    do {
      if let parent, let folder = try? made(in: parent) { return folder }
      return try made(in: privateFolder())
    } catch let error as CocoaError where error.code == .fileReadCorruptFile {
      throw .initializationFailed(
        "“\(error.filePath ?? source)” is no dictionary of eSpeak NG. Reinstall espeak-ng-data.")
    } catch {
      throw .initializationFailed(
        "The voices of eSpeak NG could not be prepared: \(Self.reason(of: error)) "
          + "Give the program a folder for caches or temporary files that it may write to.")
    }
  }

  /// A folder for this user alone, among the temporary files of all.
  ///
  /// Whoever can foretell its name can be there first. So it is used only if it is no link, belongs to this
  /// user and is open to nobody else; then nobody else made it or put anything into it.
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
        "“\(folder)” is there already, and is not a folder for you alone.")
    }
    return folder
  }

  /// What went wrong, in the system's words where Foundation has none.
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
      let draft = home + "-" + UUID().uuidString
      try files.createDirectory(
        atPath: draft, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      defer { try? files.removeItem(atPath: draft) }
      try fill(draft + "/espeak-ng-data", from: source, replacements: replacements)
      // Somebody else may have been faster, which is as good; or something was lost from it.
      if rename(draft, home) != 0, !isWhole(folder) {
        try files.removeItem(atPath: home)
        try files.moveItem(atPath: draft, toPath: home)
      }
    }
    return folder
  }

  /// Whether nothing is missing, and nobody else could have written it.
  private func isWhole(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
      let names = try? files.contentsOfDirectory(atPath: source)
    else { return false }
    return names.allSatisfy { files.isReadableFile(atPath: folder + "/" + $0) }
  }

  /// Changes when the data does.
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

  /// The mended files by their paths in the data.
  private func replacements() throws -> [String: Data] {
    var replacements: [String: Data] = [:]
    for path in try files.subpathsOfDirectory(atPath: source) {
      let file = source + "/" + path
      if path.hasSuffix("_dict"), let bytes = files.contents(atPath: file) {
        guard let mended = EspeakDictionary.mended(Array(bytes)) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file])
        }
        if mended != Array(bytes) { replacements[path] = Data(mended) }
      } else if path.hasPrefix("lang/"), let bytes = files.contents(atPath: file),
        let text = String(data: bytes, encoding: .utf8)
      {
        replacements[path] = EspeakVoiceFile.mended(text).map { Data($0.utf8) }
      }
    }
    return replacements
  }

  /// Makes folders down to what is replaced, and links to everything beside it.
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
