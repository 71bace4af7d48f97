import Foundation
import SpeechConcurrency
import SpeechFiles

/// Moves the bytes of a connection on a queue of its own.
final class WyomingPump: Sendable {
  /// The sizes at which a direction waits until the other side has caught up.
  private static let mostOutgoing = 1 << 20
  private static let mostIncoming = 4 << 20

  private struct State {
    var outgoing = Queue<Data>()
    var outgoingSize = 0
    var incoming = Queue<WyomingEvent>()
    var incomingSize = 0
    var isClosing = false
    var ending: WyomingError?
  }

  let changed = ChangeSignal()
  private let address: WyomingAddress
  private let state = Guarded(State())
  private let wakeChannel: ProcessStart.Channel

  init(_ address: WyomingAddress) throws(WyomingError) {
    self.address = address
    do throws(SystemFailure) {
      wakeChannel = try ProcessStart.channel()
      for end in [wakeChannel.ours, wakeChannel.theirs] {
        _ = fcntl(end.fileDescriptor, F_SETFL, O_NONBLOCK)
      }
    } catch {
      throw .notConnected(address.description, reason: error.reason)
    }
  }

  /// Opens the connection on the pump's queue, which is occupied until it is closed or lost.
  func start() {
    DispatchQueue(label: "SpeechKit.wyoming").async { [self] in
      // Signals are for the program's own threads; a peer that hangs up must not end the program.
      var signals = sigset_t()
      var before = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, &before)
      run()
      // The thread serves other queues later.
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
  }

  // MARK: From anywhere

  var isOpen: Bool { state.withLock { $0.ending == nil && !$0.isClosing } }

  var hasRoom: Bool { state.withLock { $0.outgoingSize < Self.mostOutgoing } }

  func send(_ bytes: Data) {
    state.withLock { state in
      guard state.ending == nil, !state.isClosing else { return }
      state.outgoing.append(bytes)
      state.outgoingSize += bytes.count
      wake()
    }
  }

  func take() throws(WyomingError) -> WyomingEvent? {
    try state.withLock { state throws(WyomingError) -> WyomingEvent? in
      guard let event = state.incoming.popFirst() else {
        if let ending = state.ending { throw ending }
        return nil
      }
      let wasFull = state.incomingSize >= Self.mostIncoming
      state.incomingSize -= event.size
      if wasFull, state.incomingSize < Self.mostIncoming { wake() }
      return event
    }
  }

  func close() {
    state.withLock { state in
      state.isClosing = true
      wake()
    }
  }

  private func wake() {
    var byte: UInt8 = 0
    // A full channel wakes as well.
    _ = Foundation.write(wakeChannel.theirs.fileDescriptor, &byte, 1)
  }

  // MARK: On the queue

  private func run() {
    do throws(WyomingError) {
      let endpoint = try WyomingEndpoint.open(address, unless: wakeChannel.ours.fileDescriptor) {
        self.state.withLock(\.isClosing)
      }
      defer { endpoint.close() }
      try move(endpoint)
    } catch {
      state.withLock { $0.ending = error }
    }
    state.withLock { state in
      state.ending = state.ending ?? .lost(address.description, lastWords: nil)
      state.outgoing = Queue()
    }
    changed.notify()
  }

  /// Moves bytes until the connection is closed or lost.
  private func move(_ endpoint: WyomingEndpoint) throws(WyomingError) {
    var reader = WyomingReader()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var rest = Data()
    var canWrite = true
    let never: Int32 = -1
    while true {
      let (isClosing, isFull) = state.withLock { state in
        if rest.isEmpty, let next = state.outgoing.popFirst() { rest = next }
        return (state.isClosing, state.incomingSize >= Self.mostIncoming)
      }
      guard !isClosing else { return }
      var wishes = [
        pollfd(fd: isFull ? never : endpoint.input, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: canWrite && !rest.isEmpty ? endpoint.output : never, events: Int16(POLLOUT),
          revents: 0),
        pollfd(fd: endpoint.errors, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wakeChannel.ours.fileDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&wishes, nfds_t(wishes.count), -1) >= 0 else { continue }
      if wishes[3].revents != 0 { _ = read(wakeChannel.ours.fileDescriptor, &buffer, buffer.count) }
      if wishes[2].revents != 0 { endpoint.readErrors() }
      if wishes[1].revents != 0 { canWrite = write(&rest, to: endpoint) }
      guard wishes[0].revents != 0 else { continue }
      let count = read(endpoint.input, &buffer, buffer.count)
      if count < 0, [EAGAIN, EINTR].contains(errno) { continue }
      guard count > 0 else {
        throw .lost(address.description, lastWords: endpoint.close())
      }
      try accept(buffer[..<count], with: &reader)
    }
  }

  /// Writes what can be written.
  ///
  /// - Returns: false if the engine does not read any more. It may have written its reason before.
  private func write(_ rest: inout Data, to endpoint: WyomingEndpoint) -> Bool {
    let count = rest.withUnsafeBytes { bytes in
      // Without a signal if the engine does not read.
      Foundation.send(endpoint.output, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    rest = rest.count == count ? Data() : Data(rest.dropFirst(count))
    state.withLock { $0.outgoingSize -= count }
    changed.notify()
    return true
  }

  private func accept(
    _ bytes: ArraySlice<UInt8>, with reader: inout WyomingReader
  ) throws(WyomingError) {
    reader.append(bytes)
    do throws(WyomingReader.FormatError) {
      while let event = try reader.next() {
        state.withLock { state in
          state.incoming.append(event)
          state.incomingSize += event.size
        }
        changed.notify()
      }
    } catch {
      throw .against(address.description, reason: error.reason)
    }
  }
}

extension WyomingEvent {
  /// The memory that it takes, roughly.
  fileprivate var size: Int { 256 + type.utf8.count + data.count + payload.count }
}

extension SystemFailure {
  /// The system's message, with the remedy if there is one.
  var reason: String {
    code == EMFILE ? "\(self). Raise the limit on open files (`ulimit -n 64`)" : description
  }
}
