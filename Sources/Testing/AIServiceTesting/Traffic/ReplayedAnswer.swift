import AIServices
import Foundation
import SpeechConcurrency

/// A recorded answer during its replay.
final class ReplayedAnswer: Sendable {
  private struct State {
    var next = 0
    var received = 0
    var waited = Duration.zero
    var isOver = false
  }

  private let exchange: RecordedExchange
  private let timeouts: HTTPTimeouts
  private let responseLimit: Int
  private let clock: ServiceClock?
  private let state = Guarded(State())

  init(_ exchange: RecordedExchange, for request: HTTPRequest, clock: ServiceClock?) {
    self.exchange = exchange
    timeouts = request.timeouts
    responseLimit = request.responseLimit
    self.clock = clock
  }

  func next() async throws -> Data? {
    try Task.checkCancellation()
    let (index, isOver) = state.withLock { state in
      defer { state.next += 1 }
      return (state.next, state.isOver)
    }
    guard !isOver else { return nil }
    guard index < exchange.pieces.count else {
      guard exchange.end == .complete else { throw try await end(waitingFor: .idle) }
      try await wait(exchange.endAfter, for: .idle)
      return nil
    }
    let piece = exchange.pieces[index]
    try await wait(piece.after, for: .idle)
    let isTooLarge = state.withLock { state in
      state.received += piece.bytes.count
      state.isOver = state.received > responseLimit
      return state.isOver
    }
    if isTooLarge { throw HTTPFailure.tooLarge(limit: responseLimit) }
    return piece.bytes
  }

  /// Waits for the recorded time, unless a timeout expires before.
  func wait(_ time: Duration, for stage: HTTPFailure.Stage) async throws {
    try Task.checkCancellation()
    guard let clock else { return }
    let (limit, reached) = limit(for: stage)
    if min(time, limit) > .zero { try await clock.sleep(min(time, limit)) }
    guard time <= limit else {
      state.withLock { $0.isOver = true }
      throw HTTPFailure.timedOut(reached)
    }
    state.withLock { $0.waited += time }
  }

  /// The error with which the exchange ended.
  ///
  /// - Throws: the error that occurs during the wait.
  func end(waitingFor stage: HTTPFailure.Stage) async throws -> any Error {
    switch exchange.end {
    case .failed(let failure):
      // The failure may be a timeout itself, which occurs at its recorded time.
      try Task.checkCancellation()
      if exchange.endAfter > .zero { try await clock?.sleep(exchange.endAfter) }
      return failure.failure ?? .interrupted(failure.detail, beforeResponse: false)
    case .cancelled:
      let (limit, reached) = limit(for: stage)
      try await (clock ?? .real).sleep(limit)
      return HTTPFailure.timedOut(reached)
    case .abandoned, .complete: return TrafficError.endsHere(exchange.request.title)
    }
  }

  private func limit(for stage: HTTPFailure.Stage) -> (Duration, HTTPFailure.Stage) {
    let limit = stage == .firstByte ? timeouts.firstByte : timeouts.idle
    guard let total = timeouts.total else { return (limit, stage) }
    let left = max(.zero, total - state.withLock(\.waited))
    return left < limit ? (left, .total) : (limit, stage)
  }
}
