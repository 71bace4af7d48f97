import Foundation
import SpeechCore

/// The memory that a model takes, which is looked for before anything is loaded: what is not in C
/// cannot report that there is none.
struct MemoryReserve {
  /// For the search, and for a thread.
  private var bytes = 32 << 20

  /// Adds a multiple of the size of a file, or of those in a folder.
  mutating func add(_ url: URL, times: Int) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let paths = files.isEmpty ? [url.path] : files.map { url.path + "/" + $0 }
    for path in paths {
      var status = stat()
      if stat(path, &status) == 0 { bytes += Int(status.st_size) * times }
    }
  }

  /// - Throws: `SpeechRecognitionError.outOfMemory` if the process cannot have as much.
  func check() throws(SpeechRecognitionError) {
    let room = mmap(
      nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard room != MAP_FAILED else { throw .outOfMemory }
    munmap(room, bytes)
  }
}
