import Foundation
import SpeechConcurrency

/// One connection of a server, with its own thread.
final class LoopbackConnection: Sendable {
  let number: Int
  private let socket: Int32
  private let server: LoopbackState

  private struct State {
    var isStopped = false
    var isClosed = false
    /// Wakes the thread while it waits for something other than the client.
    var alarm: LoopbackAlarm?
  }

  private let state = Guarded(State())

  init(_ socket: Int32, number: Int, of server: LoopbackState) {
    self.socket = socket
    self.server = server
    self.number = number
    var isOn: Int32 = 1
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Ends the connection from another thread.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      if !state.isClosed { shutdown(socket, Int32(SHUT_RDWR)) }
      state.alarm?.ring()
    }
  }

  /// Answers requests until one side closes the connection.
  func serve() {
    answer()
    state.withLock { state in
      state.isClosed = true
      close(socket)
    }
  }

  private func answer() {
    if let greeting = server.read(\.greeting) {
      _ = perform(greeting)
      return
    }
    var reader = LoopbackRequestReader(connection: number) { [self] in receive($0) }
    while var request = reader.readHead() {
      if let reply = server.read(\.earlyReplies)[request.path] {
        _ = perform(reply)
        break
      }
      if request.headers["Expect"] != nil, !send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) {
        break
      }
      guard let body = reader.readBody(of: request) else { break }
      request.body = body
      guard perform(server.reply(to: request)) else { break }
    }
  }

  /// Performs a reply. Returns true if the connection stays open.
  private func perform(_ reply: ScriptedReply) -> Bool {
    for step in reply.steps {
      switch step {
      case .bytes(let data): guard send(data) else { return false }
      case .drip(let data, let pause):
        for byte in data {
          guard send(Data([byte])), wait(for: pause) else { return false }
        }
      case .endless(let data): while send(data) {}
      case .wait(let gate): guard wait(at: gate) else { return false }
      case .stall: _ = wait(at: ReplyGate())
      case .close: return false
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: linger))
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, size)
        return false
      }
    }
    return true
  }

  private func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = recv(socket, room.baseAddress, room.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return 0 }
      server.change { $0.bytesReceived += count }
      return count
    }
  }

  private func send(_ data: Data) -> Bool {
    var sent = 0
    while sent < data.count {
      let count = data.withUnsafeBytes { bytes in
        Glibc.send(
          socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
      server.change { $0.bytesSent += count }
    }
    return true
  }

  // MARK: Waiting

  /// Returns true if the gate was opened; false if the client hung up or the server was stopped.
  private func wait(at gate: ReplyGate) -> Bool {
    guard let alarm = alarm() else { return false }
    gate.arrive { alarm.ring() }
    while !gate.isOpen {
      guard watch(alarm, for: -1) else { return false }
    }
    return true
  }

  private func wait(for pause: Duration) -> Bool {
    guard let alarm = alarm() else { return false }
    let end = ContinuousClock.now + pause
    while end > .now {
      let milliseconds = (end - .now) / .milliseconds(1)
      guard watch(alarm, for: Int32(milliseconds.rounded(.up))) else { return false }
    }
    return true
  }

  /// The alarm, which the first wait creates, because it takes two descriptors.
  private func alarm() -> LoopbackAlarm? {
    state.withLock { state in
      state.alarm = state.alarm ?? LoopbackAlarm()
      return state.alarm
    }
  }

  /// Waits for the alarm. False if the client has hung up or the server was stopped.
  private func watch(_ alarm: LoopbackAlarm, for milliseconds: Int32) -> Bool {
    guard !state.withLock(\.isStopped) else { return false }
    var watched = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&watched, 2, milliseconds) > 0 else { return true }
    if watched[1].revents != 0 { alarm.quiet() }
    guard watched[0].revents != 0 else { return true }
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }
}

/// Wakes a thread that polls descriptors.
private final class LoopbackAlarm: Sendable {
  let descriptor: Int32
  private let bell: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, bell) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  func ring() {
    var byte: UInt8 = 1
    write(bell, &byte, 1)
  }

  func quiet() {
    var byte: UInt8 = 0
    read(descriptor, &byte, 1)
  }
}
