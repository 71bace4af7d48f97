import Foundation
import SpeechConcurrency

/// The state of a connection that its user shares with the serving thread.
final class WebSocketChannel: Sendable {
  /// The number of unsent bytes at which senders wait.
  static let sendingLimit = 256 << 10
  /// The numbers of unread bytes and messages at which receiving pauses.
  static let readingLimit = (bytes: 1 << 20, messages: 256)

  enum Phase {
    case opening
    case open
    case closing
    /// The connection ended: closed in order, or failed.
    case over(Result<WebSocketClose, any Error>)
  }

  private struct State {
    var phase = Phase.opening
    /// True if it was ever open.
    var wasOpen = false
    var subprotocol: String?
    /// True once the socket is closed.
    var isReleased = false
    var isAbandoned = false
    var closeRequest: WebSocketClose?
    var inbox = Queue<WebSocketMessage>()
    var inboxBytes = 0
    var isReadingPaused = false
    var outbox = Queue<[UInt8]>()
    var outboxBytes = 0
  }

  let request: WebSocketRequest
  let address: WebSocketAddress
  private let state = Guarded(State())
  private let inboxChanged = ChangeSignal()
  private let outboxChanged = ChangeSignal()
  private let phaseChanged = ChangeSignal()

  init(_ request: WebSocketRequest, address: WebSocketAddress) {
    self.request = request
    self.address = address
  }

  // MARK: For the user

  var subprotocol: String? { state.withLock(\.subprotocol) }

  var close: WebSocketClose? {
    state.withLock { state in
      if case .over(.success(let close)) = state.phase { close } else { nil }
    }
  }

  func waitUntilOpen() async throws {
    try await phaseChanged.wait {
      let (phase, wasOpen) = state.withLock { ($0.phase, $0.wasOpen) }
      // If it failed right away, there may be messages to read first.
      if wasOpen { return () }
      if case .over(let result) = phase { throw Self.failure(result) }
      return nil
    }
  }

  /// Waits for room and enqueues the frames.
  func put(_ frames: [[UInt8]]) async throws {
    try Task.checkCancellation()
    try await outboxChanged.wait {
      try state.withLock { state throws -> Void? in
        switch state.phase {
        case .opening, .closing:
          throw HTTPFailure.interrupted("it is being closed", beforeResponse: false)
        case .over(let result): throw Self.failure(result)
        case .open: break
        }
        guard state.outboxBytes < Self.sendingLimit else { return nil }
        for frame in frames {
          state.outbox.append(frame)
          state.outboxBytes += frame.count
        }
        return ()
      }
    }
  }

  /// The next message; `nil` when the connection was closed in order.
  ///
  /// - Parameter resume: called when receiving, which had paused, may resume.
  func next(resume: () -> Void) async throws -> WebSocketMessage? {
    try Task.checkCancellation()
    let (message, mayResume) = try await inboxChanged.wait {
      try state.withLock { state throws -> (WebSocketMessage?, Bool)? in
        guard let message = state.inbox.popFirst() else {
          switch state.phase {
          case .over(let result):
            _ = try result.get()
            return (nil, false)
          case .opening, .open, .closing: return nil
          }
        }
        state.inboxBytes -= message.count
        let mayResume = state.isReadingPaused && Self.hasRoom(state, share: 2)
        if mayResume { state.isReadingPaused = false }
        return (message, mayResume)
      }
    }
    if mayResume { resume() }
    return message
  }

  /// Requests the end of an open connection. Has no effect later.
  func requestClose(_ close: WebSocketClose) {
    state.withLock { state in
      guard case .open = state.phase else { return }
      state.phase = .closing
      state.closeRequest = close
    }
    outboxChanged.notify()
  }

  /// Discards all messages; the user has released the connection.
  func abandon() {
    state.withLock { state in
      state.isAbandoned = true
      state.inbox = Queue()
      state.inboxBytes = 0
    }
  }

  func waitUntilReleased() async throws {
    try await phaseChanged.wait(until: { state.withLock(\.isReleased) })
  }

  // MARK: For the thread

  var isAbandoned: Bool { state.withLock(\.isAbandoned) }

  /// True if there is room for more messages. If not, the user's side wakes the thread when there
  /// is.
  func mayRead() -> Bool {
    state.withLock { state in
      if !state.isReadingPaused { state.isReadingPaused = !Self.hasRoom(state) }
      return !state.isReadingPaused
    }
  }

  func opened(subprotocol: String?) {
    state.withLock { state in
      if case .opening = state.phase { state.phase = .open }
      state.wasOpen = true
      state.subprotocol = subprotocol
    }
    phaseChanged.notify()
  }

  func deliver(_ messages: [WebSocketMessage]) {
    guard !messages.isEmpty else { return }
    state.withLock { state in
      guard !state.isAbandoned else { return }
      for message in messages {
        state.inbox.append(message)
        state.inboxBytes += message.count
      }
    }
    inboxChanged.notify()
  }

  /// The next frame to send, if any.
  func takeFrame() -> [UInt8]? {
    let (frame, hasRoomAgain) = state.withLock { state in
      guard let frame = state.outbox.popFirst() else { return (nil as [UInt8]?, false) }
      let wasFull = state.outboxBytes >= Self.sendingLimit
      state.outboxBytes -= frame.count
      return (frame, wasFull && state.outboxBytes < Self.sendingLimit)
    }
    if hasRoomAgain { outboxChanged.notify() }
    return frame
  }

  /// The requested close frame, once all frames before it have been taken.
  func takeCloseRequest() -> WebSocketClose? {
    state.withLock { state in
      guard state.outbox.isEmpty else { return nil }
      defer { state.closeRequest = nil }
      return state.closeRequest
    }
  }

  /// True once the end has been requested.
  var isClosing: Bool {
    state.withLock { state in if case .closing = state.phase { true } else { false } }
  }

  /// Ends the connection for the user. Only the first end counts.
  func finish(_ result: Result<WebSocketClose, any Error>) {
    state.withLock { state in
      if case .over = state.phase { return }
      state.phase = .over(result)
      state.outbox = Queue()
      state.outboxBytes = 0
    }
    for signal in [phaseChanged, inboxChanged, outboxChanged] { signal.notify() }
  }

  /// Reports that the socket is closed.
  func released() {
    state.withLock { $0.isReleased = true }
    phaseChanged.notify()
  }

  private static func hasRoom(_ state: State, share: Int = 1) -> Bool {
    state.inboxBytes < readingLimit.bytes / share
      && state.inbox.count < readingLimit.messages / share
  }

  private static func failure(_ result: Result<WebSocketClose, any Error>) -> any Error {
    switch result {
    case .failure(let error): error
    case .success(let close):
      HTTPFailure.interrupted(
        "the server closed it with code \(close.code)"
          + (close.reason.isEmpty ? "" : ": \(close.reason)"), beforeResponse: false)
    }
  }
}
