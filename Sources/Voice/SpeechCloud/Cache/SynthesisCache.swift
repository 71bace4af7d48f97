import AIServices
import Foundation
import SpeechConcurrency
import SpeechFiles

/// Speech that was made once, kept on disk so that the same words need not be made again.
///
/// Entries are named after a hash of all that decides how they sound. When the limit is passed, those go
/// that were not heard for the longest time. Any number of programs may use one folder at once. The files
/// hold what was spoken, so they are readable for their owner alone.
///
/// Trouble with the disk never keeps anybody from speaking: what cannot be read counts as not there, and
/// what cannot be written is not kept.
public actor SynthesisCache {
  /// What names an entry.
  package struct Key: Sendable, Hashable {
    let name: String

    /// The key for all that decides how something sounds, in order.
    package init(_ parts: [String]) {
      // Lengths are part of it, so that no two lists run together into one text.
      let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
      name = Digest.sha256(Data(text.utf8))
    }
  }

  /// The folder that is used unless another is named: `speechkit/speech` below `XDG_CACHE_HOME`.
  public static var defaultFolder: URL {
    let environment = ProcessInfo.processInfo.environment
    let base =
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    return base.appending(path: "speechkit/speech")
  }

  /// Where the entries are.
  public nonisolated let folder: URL
  /// How many bytes are kept, at most.
  public nonisolated let sizeLimit: Int

  private let executor = SerialQueueExecutor(label: "SpeechKit.cache", qos: .utility)
  /// How many bytes may be written before the folder is tidied up. Programs that run shortly do it too,
  /// hence none at first.
  private var writtenUntilTidy = 0

  /// The queue that all of it runs on, because disks block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// A cache in that folder, which is made when something is kept.
  public init(folder: URL = SynthesisCache.defaultFolder, sizeLimit: Int = 256 << 20) {
    self.folder = folder
    self.sizeLimit = max(0, sizeLimit)
  }

  /// What is kept under that key.
  package func speech(for key: Key) -> CachedSpeech? {
    let file = self.file(key)
    guard let data = try? Data(contentsOf: file) else { return nil }
    guard let speech = CachedSpeech(encoded: data) else {
      try? FileManager.default.removeItem(at: file)
      return nil
    }
    // The time of change is the time of last use here.
    utimes(file.path, nil)
    return speech
  }

  /// Keeps speech under that key.
  package func keep(_ speech: CachedSpeech, for key: Key) {
    guard let data = try? speech.encoded(), data.count <= sizeLimit else { return }
    // Not durable, because a broken file is recognised by its digest and counts as missing.
    guard (try? makeFolder()) != nil,
      (try? data.replace(file(key).path, mode: 0o600, isDurable: false)) != nil
    else { return }
    writtenUntilTidy -= data.count
    // Counting all files costs time: it is done when a twentieth of the limit may have been added.
    if writtenUntilTidy <= 0 {
      writtenUntilTidy = sizeLimit / 20
      makeRoom()
    }
  }

  /// Forgets everything.
  public func removeAll() {
    for entry in entries() { try? FileManager.default.removeItem(at: entry.url) }
  }

  /// How many bytes are kept.
  public var size: Int { entries().reduce(0) { $0 + $1.size } }

  private struct Entry {
    var url: URL
    var size: Int
    var lastUse: Date
  }

  private func file(_ key: Key) -> URL { folder.appending(path: key.name + ".speech") }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func entries() -> [Entry] {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: Array(keys))) ?? []
    return files.compactMap { url in
      guard url.pathExtension == "speech" || FileReplacement.isTemporary(url.lastPathComponent),
        let values = try? url.resourceValues(forKeys: keys)
      else { return nil }
      return Entry(
        url: url, size: values.fileSize ?? 0,
        lastUse: values.contentModificationDate ?? .distantPast)
    }
  }

  /// Brings the folder under its limit, with a twentieth to spare, and sweeps up what killed programs left.
  private func makeRoom() {
    var entries = entries().sorted { $0.lastUse < $1.lastUse }
    let hourAgo = Date(timeIntervalSinceNow: -3_600)
    entries.removeAll { entry in
      guard FileReplacement.isTemporary(entry.url.lastPathComponent), entry.lastUse < hourAgo else {
        return false
      }
      try? FileManager.default.removeItem(at: entry.url)
      return true
    }
    var size = entries.reduce(0) { $0 + $1.size }
    guard size > sizeLimit else { return }
    for entry in entries where size > sizeLimit - sizeLimit / 20 {
      try? FileManager.default.removeItem(at: entry.url)
      size -= entry.size
    }
  }
}
