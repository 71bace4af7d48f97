import SpeechAudio
import Testing

struct ScriptedMicrophoneTests {
  private let loud = PCMBuffer(
    samples: [Int16](repeating: 8_000, count: 1_600), format: .recognition)

  private func heard(_ capture: any AudioCapture) async throws -> [AudioCaptureEvent] {
    var events: [AudioCaptureEvent] = []
    while let event = try await capture.read() { events.append(event) }
    return events
  }

  private func samples(_ events: [AudioCaptureEvent]) -> [Int16] {
    events.flatMap { if case .audio(let buffer) = $0 { buffer.samples } else { [Int16]() } }
  }

  @Test func `a script has speech at second three`() async throws {
    let clock = VirtualClock()
    let script = AudioScript().saying(loud, at: .seconds(3)).ending(at: .seconds(4))
    let capture = try await ScriptedMicrophone(script, clock: clock).open()
    let samples = samples(try await heard(capture))
    #expect(samples.count == 64_000)
    #expect(samples.firstIndex(of: 8_000) == 48_000)
    #expect(samples.filter { $0 == 8_000 }.count == 1_600)
    #expect(clock.time == .seconds(4))
    #expect(capture.statistics.frames == 64_000)
  }

  @Test func `overlapping audio is mixed and stays within the range`() async throws {
    let script = AudioScript().saying(loud, at: .zero).saying(loud, at: .milliseconds(50))
      .saying(loud.amplified(byDecibels: 20), at: .milliseconds(50)).ending(at: .milliseconds(200))
    let samples = samples(try await heard(try await ScriptedMicrophone(script).open()))
    #expect(samples[0] == 8_000)
    #expect(samples[800] == .max)
    #expect(samples[3_199] == 0)
  }

  @Test func `noise is the same for the same seed and has the level asked for`() async throws {
    func noise(_ seed: UInt64) async throws -> [Int16] {
      let script = AudioScript().withNoise(level: -40, seed: seed).ending(at: .seconds(1))
      return samples(try await heard(try await ScriptedMicrophone(script).open()))
    }
    let first = try await noise(1)
    #expect(try await noise(1) == first)
    #expect(try await noise(2) != first)
    #expect(abs(PCMBuffer(samples: first, format: .recognition).level + 40) < 0.5)
  }

  @Test func `a capture that is stopped ends and another one can be opened`() async throws {
    let microphone = ScriptedMicrophone(AudioScript().saying(loud, at: .seconds(1)))
    let first = try await microphone.open()
    _ = try await first.read()
    first.stop()
    #expect(try await first.read() == nil)
    let second = try await microphone.open()
    #expect(try await second.read() != nil)
    second.stop()
  }

  @Test func `audio added now is captured from now on`() async throws {
    let microphone = ScriptedMicrophone()
    let capture = try await microphone.open()
    for _ in 0..<10 { _ = try await capture.read() }
    microphone.say(loud, after: .milliseconds(40))
    var heard: [Int16] = []
    for _ in 0..<10 {
      if case .audio(let buffer)? = try await capture.read() { heard += buffer.samples }
    }
    capture.stop()
    #expect(heard.firstIndex(of: 8_000) == 640)
  }

  @Test func `an interruption is reported, and its time passes`() async throws {
    let clock = VirtualClock()
    let script = AudioScript().saying(loud, at: .seconds(5))
      .interrupted(at: .seconds(1), for: .seconds(2)).ending(at: .seconds(6))
    let events = try await heard(try await ScriptedMicrophone(script, clock: clock).open())
    let others = events.filter { if case .audio = $0 { false } else { true } }
    #expect(others.count == 3)
    #expect(others.dropFirst() == [.gap(frames: 32_000), .resumed])
    #expect(samples(events).count == 64_000)
    #expect(clock.time == .seconds(6))
  }

  @Test func `a cancelled reader gets a cancellation`() async throws {
    let clock = VirtualClock()
    let busy = clock.makeTimer()
    let capture = try await ScriptedMicrophone(clock: clock).open()
    let reading = Task { try await capture.read() }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    busy.cancel()
    capture.stop()
  }

  @Test func `noise of any level stays in range`() async throws {
    let microphone = ScriptedMicrophone(
      AudioScript().withNoise(level: 400).ending(at: .milliseconds(40)))
    let capture = try await microphone.open()
    guard case .audio(let sound)? = try await capture.read() else {
      Issue.record("no sound")
      return
    }
    #expect(sound.peak == 1 || sound.peak == 32_767.0 / 32_768)
    capture.stop()
  }
}
