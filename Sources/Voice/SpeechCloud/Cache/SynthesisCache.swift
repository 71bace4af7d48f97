import AIServices
import Foundation
import SpeechConcurrency
import SpeechFiles

/// A cache of synthesised speech on disk.
///
/// Entries are named by a hash of everything that affects their audio. When the size limit is
/// exceeded, the least recently used entries are removed. Any number of programs may use one folder
/// at once. The files contain the spoken texts as audio, so only their owner can read them.
///
/// Disk errors never prevent speech: an entry that cannot be read counts as missing, and one that
/// cannot be written is not kept.
public actor SynthesisCache {
  /// The name of an entry.
  package struct Key: Sendable, Hashable {
    let name: String

    /// Creates a key from everything that affects the audio, in order.
    package init(_ parts: [String]) {
      // The lengths are included, so that different lists cannot yield the same text.
      let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
      name = Digest.sha256(Data(text.utf8))
    }
  }

  /// The default folder: `speechkit/speech` in `XDG_CACHE_HOME`.
  public static var defaultFolder: URL {
    let base = BaseFolder.cache.path(ProcessInfo.processInfo.environment)
    return URL(filePath: base ?? NSTemporaryDirectory()).appending(path: "speechkit/speech")
  }

  /// The folder of the entries.
  public nonisolated let folder: URL
  /// The maximum size in bytes.
  public nonisolated let sizeLimit: Int

  private let executor = SerialQueueExecutor(label: "SpeechKit.cache", qos: .utility)
  /// The number of bytes that may be written before the folder is cleaned up. Zero at first, so
  /// that programs with a short run time do it too.
  private var writtenUntilTidy = 0

  /// The queue on which the actor runs, because disk access blocks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a cache in a folder. The folder is created with the first entry.
  public init(folder: URL = SynthesisCache.defaultFolder, sizeLimit: Int = 256 << 20) {
    self.folder = folder
    self.sizeLimit = max(0, sizeLimit)
  }

  /// Returns the entry for a key.
  package func speech(for key: Key) -> CachedSpeech? {
    let file = self.file(key)
    guard let data = try? Data(contentsOf: file) else { return nil }
    guard let speech = CachedSpeech(encoded: data) else {
      try? FileManager.default.removeItem(at: file)
      return nil
    }
    // The modification time serves as the time of the last use.
    utimes(file.path, nil)
    return speech
  }

  /// Stores speech under a key.
  package func keep(_ speech: CachedSpeech, for key: Key) {
    guard let data = try? speech.encoded(), data.count <= sizeLimit else { return }
    // Not durable, because a broken file is recognised by its digest and counts as missing.
    guard (try? makeFolder()) != nil,
      (try? data.replace(file(key).path, mode: 0o600, isDurable: false)) != nil
    else { return }
    writtenUntilTidy -= data.count
    // Listing all files takes time, so it is done when a twentieth of the limit may have been
    // added.
    if writtenUntilTidy <= 0 {
      writtenUntilTidy = sizeLimit / 20
      makeRoom()
    }
  }

  /// Removes all entries from the folder.
  public func removeAll() {
    for entry in entries() { try? FileManager.default.removeItem(at: entry.url) }
  }

  /// The total size of the entries in bytes.
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

  /// Reduces the folder to its limit minus a twentieth, and removes files that killed programs
  /// left.
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
