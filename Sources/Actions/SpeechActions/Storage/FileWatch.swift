import Dispatch
import Foundation
import SpeechConcurrency

/// Reports changes of a file by any program, using inotify.
///
/// The folder is watched instead of the file, because programs that write safely replace the file.
enum FileWatch {
  private static let events =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)

  /// Returns the value of `state` after each change. Several changes at once may be reported as
  /// one. The stream ends when its reader stops, or immediately if the system does not allow
  /// watching.
  static func states<State: Sendable>(
    of file: URL, _ state: @escaping @Sendable () async -> State
  ) -> AsyncStream<State> {
    let (notices, notice) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard watch(file, notice) else { return AsyncStream { $0.finish() } }
    let (states, continuation) = AsyncStream.makeStream(of: State.self)
    let task = Task {
      for await _ in notices { continuation.yield(await state()) }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      task.cancel()
      notice.finish()
    }
    return states
  }

  /// - Returns: False if the system does not allow watching.
  private static func watch(
    _ file: URL, _ notice: AsyncStream<Void>.Continuation
  ) -> Bool {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return false }
    // For a symbolic link, both the link and its target may change.
    let places = Set([file, file.resolvingSymlinksInPath()].map(\.path))
    var names: Set<String> = []
    for place in places {
      let folder = (place as NSString).deletingLastPathComponent
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if inotify_add_watch(descriptor, folder, events) >= 0 {
        names.insert((place as NSString).lastPathComponent)
      }
    }
    guard !names.isEmpty else {
      close(descriptor)
      return false
    }
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "speechkit.configuration.watch"))
    source.setEventHandler { [names] in
      if hasNews(descriptor, names) { notice.yield() }
    }
    source.setCancelHandler { close(descriptor) }
    // Unsafe because sources may be cancelled from any thread, and that is its only use there.
    nonisolated(unsafe) let held = source
    notice.onTermination = { _ in held.cancel() }
    source.resume()
    return true
  }

  /// Reads all pending events. Returns true if one concerns the file.
  private static func hasNews(_ descriptor: Int32, _ names: Set<String>) -> Bool {
    var hasNews = false
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return hasNews }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        }
        let start = offset + MemoryLayout<inotify_event>.size
        let end = min(count, start + Int(event.len))
        let name = String(decoding: buffer[start..<end].prefix { $0 != 0 }, as: UTF8.self)
        // After an overflow the names are unknown.
        if names.contains(name) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasNews = true }
        offset = end
      }
    }
  }
}
