import AIServiceTesting
import AIServices
import SpeechConcurrency
import Testing
@testable import LLMSocket

struct ConnectionKeeperTests {
  @Test func `a connection that is closed on request does not count as lost`() async throws {
    let (closing, close) = AsyncStream.makeStream(of: Void.self)
    let keeper = ConnectionKeeper(policy: .socketIO, clock: ContinuousClock()) { progress in
      progress.connected()
      for await _ in closing {}
    }
    let states = keeper.states.stream()
    try await keeper.connect()
    await keeper.stop {
      close.finish()
      while keeper.current == .connected { await Task.yield() }
    }
    keeper.cancel()
    let seen = await states.reduce(into: []) { $0.append($1) }
    #expect(seen == [.connecting(attempt: 1), .connected, .ended(reason: nil)])
  }

  @Test(arguments: [
    (2.0, Duration.seconds(5)), (90.0, .seconds(90)), (100_000.0, .seconds(600)),
  ])
  func `a server is asked again after the time that it wants, within reason`(
    wish: Double, delay: Duration
  ) async throws {
    let attempts = Guarded(0)
    let (closing, close) = AsyncStream.makeStream(of: Void.self)
    let clock = SkippingClock()
    let keeper = ConnectionKeeper(
      policy: ReconnectionPolicy(delays: [.seconds(5)]), clock: clock
    ) { progress in
      let isFirst = attempts.withLock { attempts in
        attempts += 1
        return attempts == 1
      }
      if isFirst { throw WebSocketHandshakeError(status: 503, retryAfter: wish) }
      progress.connected()
      for await _ in closing {}
    }
    try await keeper.connect()
    #expect(clock.waits == [delay])
    await keeper.stop { close.finish() }
  }
}
