import SpeechAudio
import SpeechConcurrency
import SpeechTesting
import TestSupport
import Testing

@testable import SpeechEcho

@Suite(.serialized) struct EchoCancellingDevicesTests {
  private let clock: VirtualClock
  private let acoustics = EchoingRoom.Acoustics(reverberation: .milliseconds(30))

  private func devices(
    _ script: AudioScript, speaker: MemorySpeaker, pace: Double = 1
  ) -> EchoCancellingDevices {
    let room = EchoingRoom(
      speaker: speaker, microphone: ScriptedMicrophone(script, clock: clock), clock: clock,
      speakerPace: pace, acoustics: acoustics)
    return EchoCancellingDevices(microphone: room, speaker: speaker, clock: clock)
  }

  /// Plays audio at a time, and performs an action during it.
  private func play(
    _ sound: PCMBuffer, on devices: EchoCancellingDevices, at time: Duration,
    then steps: [(Duration, @Sendable (any AudioPlayback) -> Void)] = []
  ) -> Task<Void, any Error> {
    let timer = clock.makeTimer()
    let followers = steps.map { ($0, $1, clock.makeTimer()) }
    return Task {
      try await timer.sleep(until: time)
      let playback = try await devices.speaker.open(sound.format)
      let following = followers.map { after, step, timer in
        Task {
          try await timer.sleep(until: time + after)
          step(playback)
          timer.cancel()
        }
      }
      timer.cancel()
      do {
        try await playback.write(sound)
        try await playback.finish()
      } catch is CancellationError {
        // Stopped, as some of the steps do.
      }
      for task in following { try await task.value }
    }
  }

  /// The result of three playbacks, one of them with a pause, one of them stopped.
  private func threePlaybacks() async throws -> (left: PCMBuffer, speaker: MemorySpeaker) {
    let speaker = MemorySpeaker(clock: clock)
    let devices = devices(AudioScript().ending(at: .seconds(9)), speaker: speaker)
    let capture = try await devices.microphone.open()
    let tasks = [
      play(EchoSounds.babble(.seconds(2)), on: devices, at: .milliseconds(507)),
      play(
        EchoSounds.babble(.seconds(2), format: AudioFormat(sampleRate: 22_050), seed: 2),
        on: devices, at: .seconds(3),
        then: [(.milliseconds(704), { $0.pause() }), (.milliseconds(1_111), { $0.resume() })]),
      play(
        EchoSounds.babble(.seconds(3), seed: 3), on: devices, at: .seconds(6),
        then: [(.milliseconds(1_501), { $0.stop() })]),
    ]
    let left = try await capture.events().sound()
    for task in tasks { try await task.value }
    return (left, speaker)
  }

  private init(clock: VirtualClock) { self.clock = clock }

  init() { self.init(clock: VirtualClock()) }

  @Test func `several playbacks with a pause and a stop are removed`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).leavesNothing() }
  }

  @MainActor private func leavesNothing() async throws {
    let (left, speaker) = try await threePlaybacks()
    #expect(left.frameCount == 9 * 16_000)
    #expect(speaker.sounds.count == 4)
    // The echo is at -32 dB. The first second is for adaptation. After that nothing stands out, not
    // even where a playback begins, resumes or stops.
    for start in stride(from: 24_000, to: 140_000, by: 1_600) {
      let level = left.slice(start..<start + 1_600).level
      #expect(level < -50, "\(level) dB after \(Double(start) / 16_000) s")
    }
  }

  @Test func `the result is deterministic`() async throws {
    let first = try await VirtualWorld.run { try await Self(clock: $0.clock).threePlaybacks().left }
    for _ in 0..<Endurance.count(full: 2, short: 1) {
      let again = try await VirtualWorld.run {
        try await Self(clock: $0.clock).threePlaybacks().left
      }
      #expect(again == first)
    }
  }

  @Test func `the reference is what the speaker has played, to the sample`() async throws {
    for round in 0..<UInt64(Endurance.count(full: 10, short: 3)) {
      try await VirtualWorld.run { try await Self(clock: $0.clock).followsPlayback(seed: round) }
    }
  }

  @MainActor private func followsPlayback(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let speaker = MemorySpeaker(clock: clock)
    let reference = PlaybackReference(format: .recognition, clock: clock)
    let output = EchoCancellingSpeaker(inner: speaker, reference: reference)
    let watcher = clock.makeTimer()
    let playback = try await output.open(.recognition)
    let sound = EchoSounds.babble(.seconds(3), seed: seed)
    let writer = Task {
      var start = 0
      for length in [160, 4_000, 9_000, 48_000] {
        try await playback.write(sound.slice(start..<min(start + length, sound.frameCount)))
        start += length
      }
      try await playback.finish()
    }
    let pause = 10 + random.next(900)
    let resume = pause + 1 + random.next(500)
    for step in 1...3_600 {
      try await watcher.sleep(until: .milliseconds(step))
      if step == pause { playback.pause() }
      if step == resume { playback.resume() }
      if step % 20 == 0 { reference.observe() }
    }
    watcher.cancel()
    try? await writer.value
    var played = PCMBuffer.silence(.milliseconds(3_500), format: .recognition)
    for sound in speaker.sounds {
      played.mix(sound.audio, at: AudioFormat.recognition.frames(in: sound.start))
    }
    #expect(
      reference.sound(from: 0, count: 50_000).samples == Array(played.samples.prefix(50_000)))
  }

  @Test(arguments: [-100.0, 100])
  func `clock drift does not bring the echo back`(_ drift: Double) async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).drifts(drift) }
  }

  @MainActor private func drifts(_ drift: Double) async throws {
    let seconds = Endurance.isFull ? 30 : 8
    let speakerClock = DriftingClock(clock, partsPerMillion: drift)
    let speaker = MemorySpeaker(clock: speakerClock)
    let devices = devices(
      AudioScript().ending(at: .seconds(seconds + 1)), speaker: speaker, pace: speakerClock.pace)
    let capture = try await devices.microphone.open()
    let playing = play(EchoSounds.babble(.seconds(seconds)), on: devices, at: .milliseconds(500))
    let left = try await capture.events().sound()
    try await playing.value
    for second in 3..<seconds {
      let level = left.slice(second * 16_000..<(second + 1) * 16_000).level
      #expect(level < -50, "\(level) dB after \(second) s")
    }
  }

  @Test func `a voice without playback passes completely`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).letsThrough() }
  }

  @MainActor private func letsThrough() async throws {
    let voice = EchoSounds.babble(.milliseconds(1_003), level: -30)
    let devices = devices(
      AudioScript().saying(voice, at: .milliseconds(500)).ending(at: .milliseconds(2_003)),
      speaker: MemorySpeaker(clock: clock))
    let capture = try await devices.microphone.open()
    let heard = try await capture.events().sound()
    #expect(heard.frameCount == 2_003 * 16)
    #expect(abs(heard.slice(8_128..<24_176).level - voice.level) < 2)
    #expect(capture.statistics.frames == 2_003 * 16)
    #expect(capture.statistics.latency == EchoCanceller.latency)
    #expect(try await capture.read() == nil)
  }

  @Test func `a microphone of another rate is converted`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).converts() }
  }

  @MainActor private func converts() async throws {
    let format = AudioFormat(sampleRate: 44_100)
    let script = AudioScript(format: format).interrupted(at: .seconds(1), for: .milliseconds(500))
      .ending(at: .seconds(2))
    let speaker = MemorySpeaker(clock: clock)
    let devices = devices(script, speaker: speaker)
    let events = try await devices.microphone.open().events()
    #expect(events.sound().frameCount == 24_000)
    #expect(events.contains(.gap(frames: 8_000)))
  }

  @Test func `a lost device is reported, and the echo is removed again afterwards`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).returns() }
  }

  @MainActor private func returns() async throws {
    let script = AudioScript().interrupted(at: .milliseconds(3_005), for: .milliseconds(700))
      .ending(at: .seconds(8))
    let speaker = MemorySpeaker(clock: clock)
    let devices = devices(script, speaker: speaker)
    let capture = try await devices.microphone.open()
    let playing = play(EchoSounds.babble(.seconds(7)), on: devices, at: .milliseconds(500))
    let events = try await capture.events()
    try await playing.value
    let marks = events.filter { if case .audio = $0 { false } else { true } }
    #expect(marks.count == 3)
    guard case .interrupted? = marks.first else {
      Issue.record("\(marks)")
      return
    }
    #expect(marks.dropFirst() == [.gap(frames: 11_200), .resumed])
    let left = events.sound()
    #expect(left.frameCount == 8 * 16_000 - 11_200)
    #expect(left.slice(32_000..<48_000).level < -50)
    #expect(left.slice(80_000..<108_000).level < -50)
    #expect(try #require(devices.statistics).echoReturnLossEnhancement > 5)
  }

  @Test func `a stopped capture delivers its remaining audio`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).stops() }
  }

  @MainActor private func stops() async throws {
    let devices = devices(AudioScript(), speaker: MemorySpeaker(clock: clock))
    let capture = try await devices.microphone.open()
    _ = try await capture.read()
    capture.stop()
    capture.stop()
    #expect(try await capture.read() == nil)
    let again = try await devices.microphone.open()
    guard case .audio? = try await again.read() else {
      Issue.record("no sound")
      return
    }
    again.stop()
  }

  @Test func `an unsupported rate is rejected when the microphone is opened`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).refuses() }
  }

  @MainActor private func refuses() async throws {
    let devices = EchoCancellingDevices(
      microphone: ScriptedMicrophone(clock: clock), speaker: MemorySpeaker(clock: clock),
      format: AudioFormat(sampleRate: 44_100), clock: clock)
    await #expect(throws: AudioError.self) { _ = try await devices.microphone.open() }
  }

  @Test func `the speaker keeps its laws`() async throws {
    try await VirtualWorld.run { try await Self(clock: $0.clock).speaks() }
  }

  @MainActor private func speaks() async throws {
    let speaker = MemorySpeaker(clock: clock)
    let devices = devices(AudioScript(), speaker: speaker)
    #expect(devices.speaker.name == speaker.name)
    let format = AudioFormat(sampleRate: 22_050)
    let sound = EchoSounds.babble(.seconds(1), format: format)
    let playback = try await devices.speaker.open(format)
    await #expect(throws: AudioError.self) {
      try await playback.write(.silence(.milliseconds(10), format: .recognition))
    }
    try await playback.write(sound)
    try await playback.finish()
    #expect(playback.playedFrames == sound.frameCount)
    #expect(speaker.sounds.map(\.audio) == [sound])
    playback.stop()
    await #expect(throws: CancellationError.self) { try await playback.write(sound) }
  }
}
