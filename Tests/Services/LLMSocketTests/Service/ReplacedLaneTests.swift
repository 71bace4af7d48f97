import AIServices
import Foundation
import SpeechConcurrency
import Testing
@testable import LLMSocket

@Suite struct ReplacedLaneTests {
  @Test(.timeLimit(.minutes(1)))
  func `a request that waits survives the replacement of the connection`() async throws {
    let wire = HangingWire()
    let url = try #require(URL(string: "ws://127.0.0.1:1"))
    let core = LLMCore(LLMConfiguration(url: url), clock: ContinuousClock()) { wire }
    let hanging = Task { try await core.ask(["prompt": "hang"]) }
    try await wire.sent.wait(until: { wire.count > 0 })
    let waiting = Task { try await core.ask(["prompt": "next"]) }
    for _ in 0..<100 { await Task.yield() }
    // An answer might be that of the cancelled request, so the connection is replaced.
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
    #expect(try await waiting.value.dictionaryValue?["success"] == true)
    await core.stop()
  }
}

/// A connection that is its only lane, and answers from the second time on.
private actor HangingWire: LLMWire {
  nonisolated let signals: AsyncStream<LLMSignal>
  nonisolated let channelCount: Int? = nil
  nonisolated let reconnection = ReconnectionPolicy(delays: [.milliseconds(1)])
  nonisolated let sent = ChangeSignal()
  private nonisolated let requests = Guarded(0)
  private let out: AsyncStream<LLMSignal>.Continuation
  private let closing = ChangeSignal()
  private var connections = 0
  private var isOpen = false

  init() {
    (signals, out) = AsyncStream.makeStream()
  }

  /// The number of requests.
  nonisolated var count: Int { requests.withLock { $0 } }

  func attempt(_ progress: ConnectionKeeper.Progress) async throws {
    connections += 1
    isOpen = true
    progress.connected()
    out.yield(.connected)
    out.yield(.laneReady(0))
    try await closing.wait(until: { !isOpen })
    out.yield(.disconnected(reason: "it was closed"))
    throw WireError.connectionLost("it was closed")
  }

  func farewell() async {
    isOpen = false
    closing.notify()
    // The end is noticed before closing is done.
    try? await Task.sleep(for: .milliseconds(100))
  }

  func open(lane: Int) {}
  func reset(lane: Int) {}

  func send(_ payload: SendableValue, id: String, lane: Int) {
    requests.withLock { $0 += 1 }
    sent.notify()
    guard connections > 1 else { return }
    out.yield(
      .answer(["success": true, "request_id": .string(id)], lane: lane, acknowledging: nil))
  }
}
