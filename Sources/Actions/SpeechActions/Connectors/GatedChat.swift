import AIServices

/// An answer that occupies a place in the request gate from its first event to its end, or until
/// its reader stops.
actor GatedChat {
  private enum Phase {
    case waiting
    case reading(AsyncThrowingStream<ChatEvent, any Error>.Iterator)
    case over
  }

  private let events: AsyncThrowingStream<ChatEvent, any Error>
  private let gate: RequestGate
  private let onTurn: @Sendable () -> Void
  private var phase = Phase.waiting
  private var hasPlace = false

  init(
    _ events: AsyncThrowingStream<ChatEvent, any Error>, through gate: RequestGate,
    onTurn: @escaping @Sendable () -> Void
  ) {
    self.events = events
    self.gate = gate
    self.onTurn = onTurn
  }

  deinit {
    if hasPlace { gate.leave() }
  }

  func next() async throws -> ChatEvent? {
    if case .waiting = phase {
      try await gate.enter()
      hasPlace = true
      phase = .reading(events.makeAsyncIterator())
      do {
        try Task.checkCancellation()
      } catch {
        end()
        throw error
      }
      onTurn()
    }
    guard case .reading(var iterator) = phase else { return nil }
    do {
      guard let event = try await iterator.next(isolation: self) else {
        end()
        return nil
      }
      phase = .reading(iterator)
      return event
    } catch {
      end()
      throw error
    }
  }

  private func end() {
    phase = .over
    hasPlace = false
    gate.leave()
  }
}
