import SpeechConcurrency
import SpeechLab
import Testing

struct SpeakerTests {
  private let line = "turn on the light"

  @Test func `a cast is reproducible and has no speaker twice`() {
    for engines in [[Speaker.Engine.flite], [.espeak], [.flite, .espeak]] {
      let cast = Speaker.cast(20, engines: engines, seed: 7)
      #expect(cast == Speaker.cast(20, engines: engines, seed: 7))
      #expect(cast != Speaker.cast(20, engines: engines, seed: 8))
      #expect(Set(cast).count == 20)
    }
    #expect(
      Speaker.cast(4, seed: 1).map(\.name) == ["flite:slt", "flite:rms", "flite:awb", "flite:kal"])
    let all = Speaker.cast(10_000, engines: [.flite, .espeak], seed: 1)
    #expect(Set(all.map(\.name)).count == all.count)
  }

  private static let engines = SpeechCatalog.standard.voices.filter(\.isLocal)
    .map { Speaker.Engine(rawValue: $0.name) }

  @Test(arguments: Speaker.cast(6, engines: engines, seed: 3))
  func `a line is 16 kHz audio at the speaker's level`(speaker: Speaker) async throws {
    var speaker = speaker
    for level in [-20.0, -35] {
      speaker.level = level
      let sound = try await speaker.say(line)
      #expect(sound.format == .recognition)
      let measured = try #require(sound.speechLevel)
      #expect(abs(measured - level) < 0.3, "\(measured)")
    }
  }

  @Test func `Flite renders a line the same whatever it rendered before`() async throws {
    let speakers = Speaker.cast(6, seed: 3)
    for speaker in speakers {
      let first = try await speaker.say(line)
      _ = try await speakers[0].say("something else, and much longer than that")
      #expect(try await speaker.say(line) == first)
    }
  }

  @Test func `the level of speech ignores pauses`() {
    let tone = (0..<16_000).map { Int16(10_000 * sin(Double($0) * 0.2)) }
    let alone = PCMBuffer(samples: tone, format: .recognition)
    let pause = [Int16](repeating: 0, count: 48_000)
    let paused = PCMBuffer(samples: pause + tone + pause, format: .recognition)
    #expect(abs((paused.speechLevel ?? 0) - alone.level) < 0.1)
    #expect(PCMBuffer.silence(.seconds(1), format: .recognition).speechLevel == nil)
    #expect(PCMBuffer(format: .recognition).speechLevel == nil)
  }
}

struct NoiseTests {
  @Test(arguments: Noise.allCases)
  func `noise is reproducible and has a power of one`(noise: Noise) async throws {
    let samples = try await noise.samples(40_000, seed: 5)
    #expect(try await noise.samples(40_000, seed: 5) == samples)
    #expect(try await noise.samples(40_000, seed: 6) != samples)
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    #expect(abs(power - 1) < 1e-9)
    #expect(try await noise.samples(0, seed: 5).isEmpty)
  }

  @Test(arguments: Noise.allCases, [20.0, 10, 0])
  func `speech has the requested level above the noise`(noise: Noise, decibels: Double) async throws
  {
    let speech = try await Speaker(.flite, voice: "rms").say("turn on the kitchen light")
    let scene = AcousticScene(backgrounds: [Background(.noise(noise), decibels: decibels)])
    let noisy = try await scene.heard(speech, seed: 2)
    let clean = try await AcousticScene().heard(speech, seed: 2)
    #expect(noisy.frameCount == speech.frameCount + 8_000)
    let rest = zip(noisy.samples, clean.samples).map { Double($0) - Double($1) }
    let power = rest.reduce(0) { $0 + $1 * $1 } / Double(rest.count) / (32_768 * 32_768)
    let measured = try #require(speech.speechLevel) - 10 * log10(power)
    #expect(abs(measured - decibels) < 0.1, "\(measured)")
  }

  @Test
  func
    `the noises have their spectra`()
    async throws
  {
    func octaves(_ noise: Noise) async throws -> [Double] {
      let samples = try await noise.samples(65_536, seed: 9)
      return [500.0, 1_000, 2_000].map { Self.power(samples, from: $0, to: 2 * $0) }
    }
    let pink = try await octaves(.pink)
    let white = try await octaves(.white)
    for index in 1..<3 {
      #expect(abs(10 * log10(pink[index] / pink[index - 1])) < 0.7)
      #expect(abs(10 * log10(white[index] / white[index - 1]) - 3) < 0.7)
    }
    let hum = try await Noise.hum.samples(65_536, seed: 9)
    #expect(Self.power(hum, from: 450, to: 8_000) < 0.001)
    #expect(Self.power(hum, from: 30, to: 100) > 0.5)
  }

  /// The power between two frequencies, from many short spectra.
  private static func power(_ samples: [Double], from low: Double, to high: Double) -> Double {
    let size = 512
    var sum = 0.0
    let first = Int((low / 16_000 * Double(size)).rounded(.up))
    let last = Int((high / 16_000 * Double(size)).rounded(.up))
    let turns = (0..<size).map { 2 * Double.pi * Double($0) / Double(size) }
    let (cosines, sines) = (turns.map { cos($0) }, turns.map { sin($0) })
    let hop = 2 * size
    for start in stride(from: 0, through: samples.count - size, by: hop) {
      // A Hann window, which confines a tone to its bins.
      let part = (0..<size).map { (0.5 - 0.5 * cosines[$0]) * samples[start + $0] }
      for bin in first..<last {
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<size {
          real += part[index] * cosines[bin * index % size]
          imaginary += part[index] * sines[bin * index % size]
        }
        sum += real * real + imaginary * imaginary
      }
    }
    let count = Double((samples.count - size) / hop + 1)
    // The window keeps three eighths of the power.
    return 2 * sum / count / Double(size * size) / 0.375
  }
}
