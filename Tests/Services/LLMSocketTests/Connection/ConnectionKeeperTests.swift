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
}
