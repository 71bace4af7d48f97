import SpeechAudio
import Synchronization
import Testing

struct VirtualClockTests {
  @Test func `without devices time advances to the next deadline`() async throws {
    let clock = VirtualClock()
    try await clock.sleep(until: .seconds(3_600))
    #expect(clock.time == .seconds(3_600))
    #expect(clock.now.offset == .seconds(3_600))
  }

  @Test func `time stands still while a device is awake`() async throws {
    let clock = VirtualClock()
    let busy = clock.makeTimer()
    let waiting = Task { try await clock.sleep(until: .seconds(1)) }
    for _ in 0..<100 { await Task.yield() }
    #expect(clock.time == .zero)
    busy.cancel()
    try await waiting.value
    #expect(clock.time == .seconds(1))
  }

  @Test func `time advances past waits without a hold`() async throws {
    let clock = VirtualClock()
    let watching = Task { try await clock.sleep(until: .seconds(1)) }
    let device = clock.makeTimer()
    try await device.sleep(until: .seconds(10))
    try await watching.value
    #expect(clock.time == .seconds(10))
    device.cancel()
  }

  @Test func `devices run in step`() async throws {
    let clock = VirtualClock()
    let log = TickLog()
    let quick = clock.makeTimer()
    let slow = clock.makeTimer()
    async let first: Void = log.follow(quick, period: 20)
    async let second: Void = log.follow(slow, period: 30)
    _ = try await (first, second)
    let times = log.ticks
    #expect(times.count == 20)
    #expect(times == times.sorted())
    #expect(clock.time == .milliseconds(300))
  }

  @Test func `cancelling ends a sleep`() async {
    let clock = VirtualClock()
    let busy = clock.makeTimer()
    let sleeping = Task { try await clock.sleep(until: .seconds(1)) }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    busy.cancel()
  }

  @Test func `a cancelled timer wakes its sleeper and lets the others continue`() async throws {
    let clock = VirtualClock()
    let gone = clock.makeTimer()
    let other = clock.makeTimer()
    let sleeping = Task { try await gone.sleep(until: .seconds(5)) }
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    try await other.sleep(until: .seconds(1))
    #expect(clock.time == .seconds(1))
    await #expect(throws: CancellationError.self) { try await gone.sleep(until: .seconds(9)) }
  }

  @Test func `a moment that has passed is reached at once`() async throws {
    let clock = VirtualClock()
    try await clock.sleep(until: .seconds(2))
    try await clock.sleep(until: .seconds(1))
    #expect(clock.time == .seconds(2))
  }

  @Test func `a real timer keeps the pace of the world and can be cancelled`() async throws {
    let clock = RealClock()
    let timer = clock.makeTimer()
    try await timer.sleep(until: .milliseconds(20))
    #expect(clock.time >= .milliseconds(20))
    let sleeping = Task { try await timer.sleep(until: .seconds(3_600)) }
    timer.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }
}

private final class TickLog: Sendable {
  private let state = Mutex<[Int]>([])

  var ticks: [Int] { state.withLock { $0 } }

  /// Ten ticks of a device.
  func follow(_ timer: any DeviceTimer, period: Int) async throws {
    for tick in 1...10 {
      try await timer.sleep(until: .milliseconds(period * tick))
      state.withLock { $0.append(period * tick) }
    }
    timer.cancel()
  }
}
