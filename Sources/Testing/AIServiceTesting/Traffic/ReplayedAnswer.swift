import AIServices
import Foundation

/// A recorded answer during its replay.
actor ReplayedAnswer {
  private let exchange: RecordedExchange
  private let timeouts: HTTPTimeouts
  private let responseLimit: Int
  private let clock: ServiceClock?

  private var pieces: ArraySlice<RecordedExchange.Piece>
  private var received = 0
  private var waited = Duration.zero
  private var isOver = false

  init(_ exchange: RecordedExchange, for request: HTTPRequest, clock: ServiceClock?) {
    self.exchange = exchange
    timeouts = request.timeouts
    responseLimit = request.responseLimit
    self.clock = clock
    pieces = exchange.pieces[...]
  }

  func next() async throws -> Data? {
    try Task.checkCancellation()
    guard !isOver else { return nil }
    guard let piece = pieces.popFirst() else {
      guard exchange.end == .complete else { throw try await end(waitingFor: .idle) }
      try await wait(exchange.endAfter, for: .idle)
      return nil
    }
    try await wait(piece.after, for: .idle)
    received += piece.bytes.count
    isOver = received > responseLimit
    if isOver { throw HTTPFailure.tooLarge(limit: responseLimit) }
    return piece.bytes
  }

  /// Waits for the recorded time, unless a timeout expires before.
  func wait(_ time: Duration, for stage: HTTPFailure.Stage) async throws {
    try Task.checkCancellation()
    guard let clock else { return }
    let (limit, reached) = limit(for: stage)
    if min(time, limit) > .zero { try await clock.sleep(min(time, limit)) }
    guard time <= limit else {
      isOver = true
      throw HTTPFailure.timedOut(reached)
    }
    waited += time
  }

  /// The error with which the exchange ended, after a wait of which errors are thrown.
  func end(waitingFor stage: HTTPFailure.Stage) async throws -> any Error {
    switch exchange.end {
    case .failed(let failure):
      // The failure may be a timeout itself, which occurs at its recorded time.
      try Task.checkCancellation()
      if exchange.endAfter > .zero { try await clock?.sleep(exchange.endAfter) }
      return failure.replayed
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
    let left = max(.zero, total - waited)
    return left < limit ? (left, .total) : (limit, stage)
  }
}
