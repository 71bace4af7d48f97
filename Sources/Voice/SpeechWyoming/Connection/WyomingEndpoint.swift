import Foundation
import SpeechConcurrency
import SpeechFiles

/// The descriptors of a connection, and the process at the other end if it was started for it.
///
/// It is used on the pump's queue only, because it blocks.
final class WyomingEndpoint {
  /// The time for a process to end by itself, in milliseconds.
  private static let ending: Int32 = 1_000
  /// The output to standard error that is kept.
  private static let mostWords = 4_096

  /// The descriptors to read from and to write to, which are the same for a socket.
  let input, output: Int32
  /// The descriptor of the process's errors; -1 without one, and after their end.
  private(set) var errors: Int32 = -1
  /// Keeps the descriptors open.
  private var handles: [FileHandle]
  private var process: pid_t?
  /// The last output to standard error.
  private var words = Data()

  private init(socket: FileHandle) {
    (input, output) = (socket.fileDescriptor, socket.fileDescriptor)
    handles = [socket]
  }

  private init(process: pid_t, streams: [FileHandle]) {
    output = streams[0].fileDescriptor
    input = streams[1].fileDescriptor
    errors = streams[2].fileDescriptor
    handles = streams
    self.process = process
  }

  /// Connects to the engine, or starts it.
  ///
  /// - Parameter wake: ends the attempt when it becomes readable and `isClosing` is true.
  static func open(
    _ address: WyomingAddress, unless wake: Int32, _ isClosing: () -> Bool
  ) throws(WyomingError) -> WyomingEndpoint {
    guard address.isProgram || !OfflineMode.shared.isOn else {
      throw .offline(address.description)
    }
    switch address.place {
    case .program(let words):
      do throws(SystemFailure) { return try start(words) } catch {
        throw .notConnected(address.description, reason: error.reason)
      }
    case .socket(let path):
      let place = try SocketPlace(path: path, of: address)
      return WyomingEndpoint(
        socket: try place.connect(for: address, unless: wake, isClosing))
    case .host(let host, let port):
      var failure = WyomingError.notConnected(address.description, reason: "it has no address")
      for place in try SocketPlace.places(of: host, port, of: address) where !isClosing() {
        do throws(WyomingError) {
          return WyomingEndpoint(
            socket: try place.connect(for: address, unless: wake, isClosing))
        } catch {
          failure = error
        }
      }
      throw failure
    }
  }

  private static func start(_ words: [String]) throws(SystemFailure) -> WyomingEndpoint {
    let environment = ProcessInfo.processInfo.environment
    guard let path = ProcessStart.path(of: words[0], environment) else {
      throw SystemFailure(code: ENOENT)
    }
    let channels = [
      try ProcessStart.channel(), try ProcessStart.channel(), try ProcessStart.channel(),
    ]
    let process = try ProcessStart(
      path: path, arguments: Array(words.dropFirst()), environment: environment
    ).start(channels: channels)
    return WyomingEndpoint(process: process, streams: channels.map(\.ours))
  }

  /// Reads what the process has written to standard error, of which the last part is kept.
  func readErrors() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while errors >= 0 {
      let count = read(errors, &buffer, buffer.count)
      if count > 0 {
        words.append(contentsOf: buffer[..<count])
        if words.count > 2 * Self.mostWords { words = Data(words.suffix(Self.mostWords)) }
      } else if count < 0, errno == EAGAIN {
        return
      } else if count == 0 || errno != EINTR {
        errors = -1
      }
    }
  }

  /// Closes the connection. A process has a moment to end by itself, and is killed otherwise,
  /// together with those that it has started.
  ///
  /// - Returns: the last line that the process wrote to standard error.
  @discardableResult
  func close() -> String? {
    if let process {
      shutdown(output, Int32(SHUT_RDWR))
      shutdown(input, Int32(SHUT_RDWR))
      // Standard error ends with the process.
      let limit = WyomingLink.Deadline(.milliseconds(Int(Self.ending)))
      while errors >= 0, limit.remaining > .zero {
        var wish = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
        _ = poll(&wish, 1, Int32(limit.remaining / .milliseconds(1)) + 1)
        readErrors()
      }
      kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      self.process = nil
    }
    handles = []
    errors = -1
    return String(decoding: words, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.last { !$0.isEmpty }
      .map { String($0.prefix(300)) }
  }
}
