import SpeechConcurrency
import SpeechLab
import SpeechTesting
import Testing

/// The requested properties of scenes, as sox measures them.
struct AcousticSceneTests {
  /// A tone of -24 dB without pauses.
  private static func tone(_ hertz: Double = 1_000, seconds: Double = 2) -> PCMBuffer {
    let samples = (0..<Int(seconds * 16_000)).map { index in
      Int16((0.0892 * 32_768 * sin(2 * .pi * hertz * Double(index) / 16_000)).rounded())
    }
    return PCMBuffer(samples: samples, format: .recognition)
  }

  @Test(arguments: Noise.allCases, [20.0, 5, -5])
  func `noise has the requested level below the speech`(noise: Noise, decibels: Double) async throws
  {
    let scene = AcousticScene(backgrounds: [Background(.noise(noise), decibels: decibels)])
    let tone = Self.tone()
    let heard = try await scene.heard(tone, pause: .seconds(2), seed: 4)
    let speech = try await Sox.level(tone)
    // The tone subtracted leaves the noise, in the pauses as well.
    let rest = PCMBuffer(
      samples: zip(heard.samples, Self.padded(tone, by: 32_000)).map { $0 &- $1 },
      format: .recognition)
    let measured = speech - (try await Sox.level(rest))
    #expect(abs(measured - decibels) < 0.1, "\(measured)")
  }

  private static func padded(_ sound: PCMBuffer, by frames: Int) -> [Int16] {
    let pause = [Int16](repeating: 0, count: frames)
    return pause + sound.samples + pause
  }

  @Test func `a recording in the background has the requested level`() async throws {
    let street = Self.tone(300, seconds: 1)
    let scene = AcousticScene(
      backgrounds: [Background(.recording(street, name: "street"), decibels: 12)])
    let heard = try await scene.heard(Self.tone(), pause: .seconds(2), seed: 1)
    let measured = try await Sox.level(Self.tone()) - Sox.level(heard, from: 0.2, for: 1.5)
    #expect(abs(measured - 12) < 0.1, "\(measured)")
    #expect(scene.name == "street 12 dB")
  }

  @Test(arguments: [0.2, 0.5, 1.2])
  func `a room has the requested reverberation`(seconds: Double) async throws {
    var click = [Int16](repeating: 0, count: 16_000)
    click[0] = 30_000
    let sound = PCMBuffer(samples: click, format: .recognition)
    for seed in 1...3 as ClosedRange<UInt64> {
      let room = RoomAcoustics(reverberation: .seconds(seconds), directness: -6, seed: seed)
      let heard = room.heard(sound)
      // The slope between two windows, each a tenth of the reverberation time.
      let window = seconds / 10
      let early = try await Sox.level(heard, from: 0.01 + window, for: window)
      let late = try await Sox.level(heard, from: 0.01 + 6 * window, for: window)
      let measured = 5 * window * 60 / (early - late)
      #expect(abs(measured - seconds) < 0.12 * seconds, "\(measured)")
    }
  }

  @Test func `a room keeps the level of the voice and adds reverberation at its own level`() throws
  {
    var click = [Int16](repeating: 0, count: 100)
    click[0] = 20_000
    let room = RoomAcoustics(reverberation: .milliseconds(400), directness: 5)
    let heard = room.heard(PCMBuffer(samples: click, format: .recognition))
    #expect(heard.samples[0] == 20_000)
    let rest = heard.samples.dropFirst().reduce(0.0) { $0 + Double($1) * Double($1) }
    #expect(abs(10 * log10(20_000 * 20_000 / rest) - 5) < 0.1)
    let speech = Self.tone()
    #expect(RoomAcoustics(reverberation: .zero).heard(speech) == speech)
  }

  @Test func `a telephone limits the band and quantises the samples`() async throws {
    let line = AcousticScene(isTelephone: true)
    for (hertz, isHeard) in [
      (100.0, false), (350, true), (1_000, true), (3_200, true), (4_200, false), (6_000, false),
    ] {
      let heard = try await line.heard(Self.tone(hertz), seed: 1)
      let level = try await Sox.level(heard, from: 0.5, for: 1)
      #expect(isHeard ? abs(level + 24) < 1 : level < -60, "\(hertz): \(level)")
    }
    let values = Set(try await line.heard(Self.tone(), seed: 1).samples)
    #expect(values.count < 256)
  }

  @Test func `clipping, dropouts and clock drift are as requested`() async throws {
    let clipped = try await AcousticScene(clipping: -30).heard(Self.tone(), seed: 1)
    #expect(abs(try #require(try await Sox.stats(clipped)["Pk lev dB"]) + 30) < 0.1)
    let losses = AcousticScene(dropouts: .init(perMinute: 100, length: .milliseconds(60)))
    let long = try await losses.heard(Self.tone(seconds: 120), seed: 3)
    // A tenth of the time is lost.
    let lost = try await Sox.level(Self.tone()) - Sox.level(long, from: 1, for: 118)
    #expect(abs(lost - 0.458) < 0.15, "\(lost)")
    let drifting = AcousticScene(clockDrift: 1_000)
    let heard = try await drifting.heard(Self.tone(seconds: 60), seed: 1)
    #expect(abs(heard.frameCount - Int(60.5 * 16_000 * 1.001)) < 30)
    #expect(abs(try await Sox.level(heard, from: 1, for: 50) + 24) < 0.05)
    // A clock that is 0.1 % faster measures 999 Hz instead of 1,000 Hz.
    let cut = try await Sox.level(heard, from: 1, for: 50, effects: ["bandreject", "999", "0.2q"])
    let beside = try await Sox.level(
      heard, from: 1, for: 50, effects: ["bandreject", "1003", "0.2h"])
    #expect(cut < beside - 6, "\(cut) \(beside)")
  }

  @Test func `equal seeds give equal samples, and other seeds other samples`() async throws {
    let speech = try await Speaker(.flite, voice: "slt").say("turn on the light")
    let scene = AcousticScene(
      backgrounds: [
        Background(.noise(.babble), decibels: 10), Background(.noise(.pink), decibels: 20),
      ],
      room: RoomAcoustics(reverberation: .milliseconds(300)), clipping: -6, isTelephone: true,
      dropouts: .init(perMinute: 60), clockDrift: 200)
    let first = try await scene.heard(speech, seed: 5)
    #expect(try await scene.heard(speech, seed: 5) == first)
    #expect(try await scene.heard(speech, seed: 6) != first)
    #expect(try await AcousticScene().heard(speech, pause: .zero, seed: 1) == speech)
    #expect(
      scene.name
        == "babble 10 dB, pink 20 dB, room 0.3 s, clipping at -6 dB, telephone, 60 drop-outs a minute, "
        + "drift 200 ppm")
  }
}

/// Scenes in a room of a virtual world, whose audio arrives in pieces.
@Suite(.serialized) struct VirtualRoomTests {
  private static func hearing(
    _ scene: AcousticScene, seed: UInt64
  ) async throws -> PCMBuffer {
    try await VirtualWorld.run { world in
      let room = VirtualRoom(world, scene: scene, script: AudioScript(), seed: seed)
      let capture = try await room.microphone.open()
      var sound = PCMBuffer(format: capture.format)
      try await room.say("good morning", by: Speaker(.flite, voice: "rms"), after: .seconds(2))
      #expect(room.lines.map(\.words) == ["good morning"])
      #expect(room.lines.map(\.start) == [.seconds(2)])
      while sound.duration < .seconds(4) {
        if case .audio(let piece)? = try await capture.read() { sound.append(piece) }
      }
      capture.stop()
      return sound
    }
  }

  @Test func `a room is reproducible and has its noise below the voice`() async throws {
    let scene = AcousticScene(
      backgrounds: [Background(.noise(.pink), decibels: 12)],
      room: RoomAcoustics(reverberation: .milliseconds(300)),
      dropouts: .init(perMinute: 30), clockDrift: -150)
    let first = try await Self.hearing(scene, seed: 9)
    #expect(try await Self.hearing(scene, seed: 9) == first)
    #expect(try await Self.hearing(scene, seed: 8) != first)
    let quiet = AcousticScene(backgrounds: [Background(.noise(.pink), decibels: 12)])
    let noise = try await Sox.level(try await Self.hearing(quiet, seed: 9), from: 0, for: 1.9)
    #expect(abs(noise - (Speaker.defaultLevel - 12)) < 0.7, "\(noise)")
  }

  @Test func `the echo of the app's voice has the requested level and delay`() async throws {
    let noise = try await Noise.white.samples(32_000, seed: 1)
    let played = PCMBuffer(samples: noise.map { Int16($0 * 4_000) }, format: .recognition)
    let echo = EchoingRoom.Acoustics(
      level: -18, reverberation: .milliseconds(60), delay: .milliseconds(120))
    let heard = try await VirtualWorld.run { world in
      let room = VirtualRoom(
        world, scene: AcousticScene(echo: echo), script: AudioScript(), seed: 2)
      let capture = try await room.microphone.open()
      let playing = Task {
        let playback = try await room.speaker.open(.recognition)
        try await playback.write(played)
        try await playback.finish()
      }
      var sound = PCMBuffer(format: .recognition)
      while sound.duration < .seconds(2) {
        if case .audio(let piece)? = try await capture.read() { sound.append(piece) }
      }
      capture.stop()
      try await playing.value
      return sound
    }
    let first = try #require(heard.samples.firstIndex { abs(Int($0)) > 20 })
    #expect(abs(first - 1_920) < 20, "\(first)")
    let level = try await Sox.level(heard, from: 0.5, for: 1) - Sox.level(played)
    #expect(abs(level + 18) < 1.5, "\(level)")
  }
}
