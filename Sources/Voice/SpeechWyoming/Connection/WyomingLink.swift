import Foundation
import SpeechConcurrency

/// A connection to an engine, which is closed when it is released.
///
/// Opening it does not wait: what is sent before it is open is sent then. The queues of both
/// directions are bounded.
final class WyomingLink: Sendable {
  let address: WyomingAddress
  private let pump: WyomingPump

  /// - Throws: `WyomingError.notConnected` if the system refuses what every connection needs.
  init(to address: WyomingAddress) throws(WyomingError) {
    self.address = address
    pump = try WyomingPump(address)
    pump.start()
  }

  deinit { pump.close() }

  /// True until the connection is lost.
  var isOpen: Bool { pump.isOpen }

  /// True while there is room for further events. A single event may exceed the limit.
  var hasRoom: Bool { pump.hasRoom }

  /// Enqueues an event. Events after a loss are dropped; `next` reports it.
  func send(_ event: WyomingEvent) { pump.send(event.encoded) }

  /// Returns the next event that has arrived; `nil` if there is none.
  ///
  /// - Throws: `WyomingError` when the connection is lost and all of its events are taken.
  func take() throws(WyomingError) -> WyomingEvent? { try pump.take() }

  /// Waits for the next event, or for room to send.
  ///
  /// - Returns: `nil` for room.
  /// - Throws: `WyomingError`; `CancellationError` when the task is cancelled.
  func next(orRoom wantsRoom: Bool = false, until deadline: Deadline) async throws -> WyomingEvent?
  {
    let late = WyomingError.timedOut(address.description, deadline.limit)
    let pump = pump
    return try await within(deadline.remaining, on: ContinuousClock(), orThrow: late) {
      try await pump.changed.wait { () throws -> WyomingEvent?? in
        if let event = try pump.take() { return .some(event) }
        return wantsRoom && pump.hasRoom ? .some(nil) : nil
      }
    }
  }

  /// Waits until the connection is lost or closed. The function does not hold the connection.
  var end: @Sendable () async throws -> Void {
    { [pump] in try await pump.changed.wait(until: { !pump.isOpen }) }
  }

  /// The end of a wait, with the limit that an error names.
  struct Deadline: Sendable {
    let limit: Duration
    private let end: ContinuousClock.Instant

    init(_ limit: Duration) {
      self.limit = limit
      end = .now + limit
    }

    var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: end)) }
  }
}
