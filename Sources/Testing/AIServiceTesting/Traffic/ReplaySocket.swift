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
    /// The indices of the events whose messages have not been read, in order.
    var unread: [Int]
    /// The messages that have not been sent again.
    var unsent: ReplayCandidates
    /// The time at which the connection was opened.
    let begun: Duration
    /// The times at which messages were sent and read, by the indices of their events.
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
  /// The indices of the events with sent messages.
  private let sentEvents: [Int]
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
    let events = recorded.events
    sentEvents = events.indices.filter { if case .sent = events[$0].kind { true } else { false } }
    let unread = events.indices.filter {
      if case .received = events[$0].kind { true } else { false }
    }
    let unsent = ReplayCandidates(
      recorded.sent.map { ComparedTraffic($0) }, order: context.order)
    state = Guarded(State(unread: unread, unsent: unsent, begun: context.clock?.now() ?? .zero))
  }

  var subprotocol: String? { recorded.opening?.subprotocol }
  var close: WebSocketClose? { state.withLock(\.close) }

  /// The recorded messages that have not been sent again.
  var unsent: [WebSocketMessage] {
    let sent = recorded.sent
    return state.withLock(\.unsent).unused.map { sent[$0] }
  }

  // MARK: Sending

  func send(_ messages: [WebSocketMessage]) async throws {
    try Task.checkCancellation()
    for message in messages { try take(message) }
  }

  private func take(_ message: WebSocketMessage) throws {
    let masked = mask.masked(message)
    let asked = ComparedTraffic(masked)
    let now = context.clock?.now() ?? .zero
    let mismatch = try state.withLock { state throws -> TrafficMismatch? in
      if let failure = state.failure { throw failure }
      if state.isLeft || state.close != nil {
        throw HTTPFailure.interrupted("it is closed", beforeResponse: false)
      }
      if let index = state.unsent.take(asked) {
        state.times[sentEvents[index]] = now
        return nil
      }
      let nearest = state.unsent.nearest(to: asked)
      let mismatch = TrafficMismatch(
        asked: recorded.request, nearest: recorded.request, number: number, sent: masked,
        nearestSent: nearest.map { recorded.sent[$0.index] },
        differences: nearest?.differences ?? [], timesUsed: 0)
      state.failure = TrafficError.notRecorded(mismatch)
      return mismatch
    }
    if let mismatch { context.report(mismatch) }
    signal.notify()
    if let mismatch { throw TrafficError.notRecorded(mismatch) }
    context.changed()
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
    if let unsent = state.unsent.unused.first, sentEvents[unsent] < index { return .wait }
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
    guard state.unsent.unused.isEmpty, !recorded.isClosedByClient, let end = recorded.end.outcome
    else { return .wait }
    if let wait = wait(recorded.endAfter, after: recorded.events.count, state, now) {
      return .pause(wait)
    }
    switch end {
    case .success(let close): state.close = close
    case .failure(let failure):
      state.failure = failure
      throw failure
    }
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
    leave((try? recorded.end.outcome?.get()) ?? close)
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
}
