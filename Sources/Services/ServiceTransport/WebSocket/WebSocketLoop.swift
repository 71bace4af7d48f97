import CCurl
import Foundation
import SpeechConcurrency

/// The thread that serves all WebSockets of the program. It runs while there are any.
final class WebSocketLoop: Sendable {
  static let shared = WebSocketLoop()

  private struct Bell {
    var reading: Int32
    var writing: Int32
  }

  private struct State {
    var arriving: [WebSocketChannel] = []
    /// The socket pair that wakes the thread; `nil` while it does not run.
    var bell: Bell?
  }

  private let state = Guarded(State())

  func serve(_ channel: WebSocketChannel) throws(HTTPFailure) {
    let isStarting = try state.withLock { state throws(HTTPFailure) -> Bool in
      let isStarting = state.bell == nil
      if isStarting {
        var ends: [Int32] = [-1, -1]
        guard speechkit_socket_pair(&ends) == 0 else {
          throw .unreachable(String(cString: strerror(errno)))
        }
        state.bell = Bell(reading: ends[0], writing: ends[1])
      }
      state.arriving.append(channel)
      return isStarting
    }
    if isStarting {
      let thread = Thread { self.run() }
      thread.name = "WebSockets"
      thread.start()
    } else {
      wake()
    }
  }

  /// Makes the thread check its channels.
  func wake() {
    state.withLock { state in
      // A full pair wakes the thread as well.
      if let bell = state.bell { _ = write(bell.writing, [1], 1) }
    }
  }

  private func run() {
    var links: [(channel: WebSocketChannel, link: WebSocketLink)] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let (bell, arriving) = state.withLock { state -> (Int32?, [WebSocketChannel]) in
        defer { state.arriving = [] }
        if links.isEmpty, state.arriving.isEmpty, let bell = state.bell {
          close(bell.reading)
          close(bell.writing)
          state.bell = nil
        }
        return (state.bell?.reading, state.arriving)
      }
      guard let bell else { return }
      for channel in arriving {
        do {
          links.append((channel, try WebSocketLink(channel)))
        } catch {
          channel.finish(.failure(error))
          channel.released()
        }
      }
      serve(&links, bell: bell, buffer: buffer)
    }
  }

  private func serve(
    _ links: inout [(channel: WebSocketChannel, link: WebSocketLink)], bell: Int32,
    buffer: UnsafeMutableRawBufferPointer
  ) {
    var sockets = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
    var ranges: [Range<Int>] = []
    var wakeTime: ContinuousClock.Instant?
    for (_, link) in links {
      let start = sockets.count
      sockets += link.interests
      ranges.append(start..<sockets.count)
      if let time = link.wakeTime { wakeTime = min(time, wakeTime ?? time) }
    }
    poll(&sockets, nfds_t(sockets.count), Self.milliseconds(until: wakeTime))
    if sockets[0].revents != 0 {
      while read(bell, buffer.baseAddress, buffer.count) == buffer.count {}
    }
    let now = ContinuousClock.now
    var left: [(channel: WebSocketChannel, link: WebSocketLink)] = []
    var over: [WebSocketChannel] = []
    for (entry, range) in zip(links, ranges) {
      if entry.link.proceed(ready: Array(sockets[range]), now: now, buffer: buffer) {
        left.append(entry)
      } else {
        over.append(entry.channel)
      }
    }
    // Removing the links closes the sockets; only then may that be reported.
    links = left
    for channel in over { channel.released() }
  }

  private static func milliseconds(until time: ContinuousClock.Instant?) -> Int32 {
    guard let time else { return -1 }
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: time).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    // Rounded up, to avoid busy waiting during the last millisecond.
    return Int32(
      clamping: min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
