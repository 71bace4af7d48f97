import SpeechAudio
import Synchronization
import Testing

struct VirtualClockTests {
  @Test func `without devices time goes to whoever waits`() async throws {
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

  @Test func `devices run in step`() async throws {
    let clock = VirtualClock()
    let log = Mutex<[Int]>([])
    let timers = [clock.makeTimer(), clock.makeTimer()]
    await withTaskGroup(of: Void.self) { group in
      for (index, period) in [20, 30].enumerated() {
        group.addTask {
          for tick in 1...10 {
            try? await timers[index].sleep(until: .milliseconds(period * tick))
            log.withLock { $0.append(period * tick) }
          }
          timers[index].cancel()
        }
      }
    }
    let times = log.withLock { $0 }
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

  @Test func `a cancelled timer wakes who sleeps on it and lets the others go on`() async throws {
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
