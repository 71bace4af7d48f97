import Dispatch
import Foundation
import SpeechConcurrency

/// Tells when a file is written, by whomever, with the system's own notices.
///
/// The folder is watched and not the file: programs that write carefully put a new file in the place of the
/// old one.
enum FileWatch {
  private static let events =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)

  /// What `state` returns after each change; several changes at once may be told as one. The stream ends when
  /// its reader stops; at once where the system lets nobody watch.
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

  /// - Returns: whether the system lets us.
  private static func watch(
    _ file: URL, _ notice: AsyncStream<Void>.Continuation
  ) -> Bool {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return false }
    // Where the file is a link, both it and what it leads to may change.
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
    let held = HeldSource(source)
    notice.onTermination = { _ in held.cancel() }
    source.resume()
    return true
  }

  /// Reads all notices that there are.
  private static func hasNews(_ descriptor: Int32, _ names: Set<String>) -> Bool {
    var hasNews = false
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return hasNews }
      // Number, mask, cookie and length, each of four bytes, then the name.
      var offset = 0
      while offset + 16 <= count {
        let length = buffer[offset + 12..<offset + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
        let mask = buffer[offset + 4..<offset + 8].reversed().reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        let end = min(count, offset + 16 + length)
        let name = String(decoding: buffer[offset + 16..<end].prefix { $0 != 0 }, as: UTF8.self)
        // When there were too many, nobody knows which.
        if names.contains(name) || mask & UInt32(IN_Q_OVERFLOW) != 0 { hasNews = true }
        offset = end
      }
    }
  }
}

/// A source that is cancelled from wherever its reader stops.
private final class HeldSource: @unchecked Sendable {
  // Unchecked because sources may be cancelled from any thread, which is all that is done with it here.
  private let source: any DispatchSourceRead

  init(_ source: any DispatchSourceRead) { self.source = source }

  func cancel() { source.cancel() }
}
