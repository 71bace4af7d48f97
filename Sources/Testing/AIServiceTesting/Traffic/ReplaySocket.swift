import AIServices
import Foundation
import SpeechConcurrency

/// A WebSocket that replays a recording instead of connecting to a server.
///
/// A recorded message of the server arrives when all messages have been sent that the client had
/// sent before it.
final class ReplaySocket: WebSocketConnection {
  /// The common part of all connections of a replay.
  struct Context: Sendable {
    var order: ReplayTransport.Order
    var clock: ServiceClock?
    /// Called with a message that was not recorded.
    var report: @Sendable (TrafficMismatch) -> Void
    /// Called after a message was sent or read.
    var changed: @Sendable () -> Void
  }

  private struct State {
    /// The indices of the messages that have not been read, in order.
    var unread: [Int]
    /// The indices of the messages that have not been sent again, in order.
    var unsent: [Int]
    /// The time at which the connection was opened.
    let begun: Duration
    /// The times at which messages were sent and read, by their indices.
    var times: [Int: Duration] = [:]
    var failure: (any Error)?
    var close: WebSocketClose?
    /// True after the client closed or dropped the connection.
    var isLeft = false
  }

  private enum Step {
    case wait
    case pause(Duration)
    case message(WebSocketMessage)
    case end
  }

  private let recorded: RecordedSocket
  private let number: Int
  private let messageLimit: Int
  private let mask: TrafficMask
  private let context: Context
  private let compared: [Int: ComparedMessage]
  private let state: Guarded<State>
  private let signal = ChangeSignal()

  /// - Parameters:
  ///   - number: the number among the recorded connections, from 1.
  ///   - mask: masks in messages what was masked when they were recorded.
  init(
    _ recorded: RecordedSocket, number: Int, messageLimit: Int, mask: TrafficMask,
    in context: Context
  ) {
    self.recorded = recorded
    self.number = number
    self.messageLimit = messageLimit
    self.mask = mask
    self.context = context
    var (unread, unsent): ([Int], [Int]) = ([], [])
    var compared: [Int: ComparedMessage] = [:]
    for (index, event) in recorded.events.enumerated() {
      switch event.kind {
      case .sent(let message):
        unsent.append(index)
        compared[index] = ComparedMessage(message)
      case .received: unread.append(index)
      case .closing: break
      }
    }
    self.compared = compared
    state = Guarded(State(unread: unread, unsent: unsent, begun: context.clock?.now() ?? .zero))
  }

  var subprotocol: String? { recorded.opening?.subprotocol }
  var close: WebSocketClose? { state.withLock(\.close) }

  /// The recorded messages that have not been sent again.
  var unsent: [WebSocketMessage] {
    state.withLock(\.unsent).compactMap { index in
      if case .sent(let message) = recorded.events[index].kind { message } else { nil }
    }
  }

  // MARK: Sending

  func send(_ messages: [WebSocketMessage]) async throws {
    try Task.checkCancellation()
    for message in messages { try take(message) }
  }

  private func take(_ message: WebSocketMessage) throws {
    let masked = mask.masked(message)
    let asked = ComparedMessage(masked)
    let now = context.clock?.now() ?? .zero
    let unmatched = try state.withLock { state throws -> [Int]? in
      if let failure = state.failure { throw failure }
      if state.isLeft || state.close != nil {
        throw HTTPFailure.interrupted("it is closed", beforeResponse: false)
      }
      let candidates = context.order == .asRecorded ? Array(state.unsent.prefix(1)) : state.unsent
      guard let index = match(asked, among: candidates) else { return candidates }
      state.unsent.removeAll { $0 == index }
      state.times[index] = now
      return nil
    }
    if let unmatched {
      let mismatch = mismatch(masked, asked, among: unmatched)
      let failure = TrafficError.notRecorded(mismatch)
      state.withLock { $0.failure = $0.failure ?? failure }
      context.report(mismatch)
      signal.notify()
      throw failure
    }
    signal.notify()
    context.changed()
  }

  /// The index of the first equal message, else of the first that differs in masked secrets only.
  private func match(_ asked: ComparedMessage, among candidates: [Int]) -> Int? {
    candidates.first { compared[$0] == asked }
      ?? candidates.first { index in
        compared[index].map { TrafficComparison(recorded: $0, sent: asked).differences.isEmpty }
          ?? false
      }
  }

  private func mismatch(
    _ message: WebSocketMessage, _ asked: ComparedMessage, among candidates: [Int]
  ) -> TrafficMismatch {
    let nearest = candidates.compactMap { index in
      compared[index].map { (index, TrafficComparison(recorded: $0, sent: asked)) }
    }.min { $0.1.distance < $1.1.distance }
    var nearestSent: WebSocketMessage?
    if let nearest, case .sent(let message) = recorded.events[nearest.0].kind {
      nearestSent = message
    }
    return TrafficMismatch(
      asked: recorded.request, nearest: recorded.request, number: number, sent: message,
      nearestSent: nearestSent, differences: nearest?.1.differences ?? [], timesUsed: 0)
  }

  // MARK: Receiving

  func receive() async throws -> WebSocketMessage? {
    while true {
      try Task.checkCancellation()
      let version = signal.version
      let now = context.clock?.now() ?? .zero
      switch try state.withLock({ try step(&$0, now) }) {
      case .message(let message):
        context.changed()
        return message
      case .end:
        context.changed()
        return nil
      case .wait: try await signal.wait(after: version)
      case .pause(let time): try await pause(time, unlessAfter: version)
      }
    }
  }

  private func step(_ state: inout State, _ now: Duration) throws -> Step {
    if let failure = state.failure { throw failure }
    if state.isLeft || state.close != nil { return .end }
    guard let index = state.unread.first else { return try stepToEnd(&state, now) }
    if let unsent = state.unsent.first, unsent < index { return .wait }
    guard case .received(let message) = recorded.events[index].kind else { return .wait }
    if let wait = wait(recorded.events[index].after, after: index, state, now) {
      return .pause(wait)
    }
    guard message.count <= messageLimit else {
      let failure = HTTPFailure.tooLarge(limit: messageLimit)
      state.failure = failure
      throw failure
    }
    state.unread.removeFirst()
    state.times[index] = now
    return .message(message)
  }

  private func stepToEnd(_ state: inout State, _ now: Duration) throws -> Step {
    guard state.unsent.isEmpty, !recorded.isClosedByClient else { return .wait }
    switch recorded.end {
    case .cancelled, .abandoned: return .wait
    case .closed, .failed, .refused: break
    }
    if let wait = wait(recorded.endAfter, after: recorded.events.count, state, now) {
      return .pause(wait)
    }
    switch recorded.end {
    case .closed(let close): state.close = close
    case .failed(let failure):
      state.failure = failure.failure ?? .interrupted(failure.detail, beforeResponse: false)
    case .refused(let refusal): state.failure = refusal
    case .cancelled, .abandoned: break
    }
    if let failure = state.failure { throw failure }
    return .end
  }

  /// The remaining time until an event, from its recorded distance to the previous one.
  private func wait(
    _ time: Duration, after index: Int, _ state: State, _ now: Duration
  ) -> Duration? {
    guard context.clock != nil else { return nil }
    let before = (0..<index).reversed().lazy.compactMap { state.times[$0] }.first
    let due = (before ?? state.begun) + time
    return due > now ? due - now : nil
  }

  /// Waits for that time, or until something changes.
  private func pause(_ time: Duration, unlessAfter version: Int) async throws {
    guard let clock = context.clock else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await clock.sleep(time) }
      group.addTask { [signal] in try await signal.wait(after: version) }
      _ = try await group.next()
    }
  }

  // MARK: The end

  func close(_ close: WebSocketClose) async {
    leave(recorded.closed ?? close)
  }

  func drop() async {
    leave(nil)
  }

  private func leave(_ close: WebSocketClose?) {
    state.withLock { state in
      if !state.isLeft, state.failure == nil { state.close = state.close ?? close }
      state.isLeft = true
    }
    signal.notify()
    context.changed()
  }
}

extension RecordedSocket {
  fileprivate var isClosedByClient: Bool {
    events.contains { if case .closing = $0.kind { true } else { false } }
  }

  /// The close that ended the connection, if one did.
  fileprivate var closed: WebSocketClose? {
    if case .closed(let close) = end { close } else { nil }
  }
}
