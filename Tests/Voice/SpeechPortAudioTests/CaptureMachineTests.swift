import SpeechAudio
import Testing

@testable import SpeechPortAudio

struct CaptureMachineTests {
  /// A machine with its own clock.
  private struct Bench {
    var machine: CaptureMachine
    var now = 0
    var delivered = 0
    var dropped = 0

    init() {
      machine = CaptureMachine(
        format: AudioFormat(sampleRate: 1_000), deviceName: "test", backlog: .seconds(30), now: 0)
    }

    /// Runs a number of ticks of 10 ms, with a number of frames each.
    mutating func run(ticks: Int, frames: Int = 10, hasFinished: Bool = false)
      -> [StreamAction]
    {
      var actions: [StreamAction] = []
      for _ in 0..<ticks {
        now += 10_000_000
        delivered += frames
        let sound = frames > 0 ? [[Int16](repeating: 1, count: frames)] : []
        if let action = machine.tick(
          sound,
          CaptureMachine.Progress(delivered: delivered, dropped: dropped, hasFinished: hasFinished),
          now: now)
        {
          actions.append(action)
        }
      }
      return actions
    }

    /// The reported events, with audio as its number of frames.
    mutating func told() -> [String] {
      var told: [String] = []
      var frames = 0
      func flush(_ frames: inout Int) -> [String] {
        defer { frames = 0 }
        return frames > 0 ? ["\(frames)"] : []
      }
      while let event = machine.next() {
        switch event {
        case .audio(let buffer): frames += buffer.frameCount
        case .gap(let lost): told += flush(&frames) + ["gap \(lost)"]
        case .interrupted: told += flush(&frames) + ["interrupted"]
        case .resumed: told += flush(&frames) + ["resumed"]
        }
      }
      return told + flush(&frames)
    }
  }

  @Test func `audio is passed on`() {
    var bench = Bench()
    #expect(bench.run(ticks: 100) == [])
    #expect(bench.told() == ["1000"])
    #expect(bench.machine.frames == 1_000)
  }

  @Test func `audio that did not fit is reported after audio that did`() {
    var bench = Bench()
    _ = bench.run(ticks: 10)
    bench.dropped = 40
    _ = bench.run(ticks: 1)
    _ = bench.run(ticks: 1)
    #expect(bench.told() == ["110", "gap 40", "10"])
  }

  @Test func `a device that stops delivering is lost within a second`() {
    var bench = Bench()
    _ = bench.run(ticks: 50)
    var ticks = 0
    while bench.run(ticks: 1, frames: 0) != [.letGo] { ticks += 1 }
    #expect((50...90).contains(ticks))
    #expect(bench.told() == ["500", "interrupted"])
  }

  @Test func `a stream that ends is lost at once, after its remaining audio`() {
    var bench = Bench()
    _ = bench.run(ticks: 50)
    #expect(bench.run(ticks: 1, hasFinished: true) == [.letGo])
    #expect(bench.told() == ["510", "interrupted"])
  }

  @Test func `a suspended process does not lose its device`() {
    var bench = Bench()
    _ = bench.run(ticks: 50)
    bench.now += 60_000_000_000
    #expect(bench.run(ticks: 1, frames: 0) == [])
    #expect(bench.run(ticks: 10) == [])
  }

  @Test func `a lost device is tried again at growing intervals`() {
    var bench = Bench()
    _ = bench.run(ticks: 1)
    _ = bench.run(ticks: 1, hasFinished: true)
    var waits: [Int] = []
    for _ in 0..<7 {
      var ticks = 1
      while bench.run(ticks: 1, frames: 0) != [.reopen] { ticks += 1 }
      // There is only one attempt at a time.
      #expect(bench.run(ticks: 500, frames: 0) == [])
      bench.machine.reopenFailed(now: bench.now)
      waits.append(ticks * 10)
    }
    #expect(waits == [100, 200, 400, 800, 1_600, 2_000, 2_000])
  }

  @Test func `a device that is back is reported with its first audio`() {
    var bench = Bench()
    _ = bench.run(ticks: 100)
    _ = bench.run(ticks: 1, hasFinished: true)
    _ = bench.run(ticks: 199, frames: 0)
    let wanted = bench.machine.reopened(now: bench.now)
    #expect(wanted)
    bench.delivered = 0
    _ = bench.run(ticks: 5, frames: 0)
    #expect(bench.told() == ["1010", "interrupted"])
    _ = bench.run(ticks: 2)
    // 2.05 s from the last audio to the first tick with audio, which contains 10 ms of it.
    #expect(bench.told() == ["gap 2040", "resumed", "20"])
  }

  @Test func `a device that returns without audio is lost again`() {
    var bench = Bench()
    _ = bench.run(ticks: 10)
    _ = bench.run(ticks: 1, hasFinished: true)
    _ = bench.machine.reopened(now: bench.now)
    bench.delivered = 0
    let actions = bench.run(ticks: 400, frames: 0)
    #expect(actions.first == .letGo)
    #expect(actions.dropFirst().allSatisfy { $0 == .reopen })
    #expect(bench.told() == ["110", "interrupted"])
  }

  @Test func `stopping keeps what was captured and ends the rest`() {
    var bench = Bench()
    _ = bench.run(ticks: 10)
    bench.machine.stop([[1, 2, 3]])
    bench.machine.stop([[4]])
    #expect(bench.run(ticks: 100, frames: 0) == [])
    #expect(bench.told() == ["103"])
    let wanted = bench.machine.reopened(now: bench.now)
    #expect(!wanted)
  }
}
