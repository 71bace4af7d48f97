import Foundation
import SpeechAudio
import TestSupport
import Testing

struct SpeechSegmenterTests {
  /// An utterance as reported by its events.
  struct Heard: Equatable {
    var start: Int
    var sound: PCMBuffer
    var end = -1
    var pauses = 0
    var resumptions = 0
  }

  /// A voice-like signal: harmonics of 120 Hz in syllables of a quarter of a second, by default at
  /// −20 dB.
  static func voice(seconds: Double, rate: Int = 16_000, decibels: Double = -20) -> PCMBuffer {
    let samples = (0..<Int(seconds * Double(rate))).map { index -> Double in
      let time = Double(index) / Double(rate)
      let syllable = 0.1 + pow(sin(.pi * time * 4), 2)
      let pitch = 120 * (1 + 0.05 * sin(2 * .pi * time * 1.3))
      return syllable
        * (1...12).reduce(0.0) { sum, harmonic in
          sum + sin(2 * .pi * pitch * Double(harmonic) * time) / Double(harmonic)
        }
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(samples.count, 1))
    let gain = pow(10, decibels / 20) * 32_768 / power.squareRoot()
    return PCMBuffer(
      samples: samples.map { Int16(clamping: Int($0 * gain)) }, format: .init(sampleRate: rate))
  }

  /// Silence of that length with the audio mixed in at its times.
  static func scene(
    seconds: Double, rate: Int = 16_000, noise: Double? = -65, _ sounds: [(Double, PCMBuffer)] = []
  ) -> PCMBuffer {
    var scene = PCMBuffer.silence(.seconds(seconds), format: .init(sampleRate: rate))
    if let noise {
      scene = SoundFixtures.noise(seconds: seconds, decibels: noise, rate: rate)
    }
    for (second, sound) in sounds { scene.mix(sound, at: Int(second * Double(rate))) }
    return scene
  }

  static func hear(
    _ sound: PCMBuffer, block: Int = 320, configuration: SpeechSegmenterConfiguration = .init()
  ) -> [Heard] {
    var segmenter = SpeechSegmenter(format: sound.format, configuration: configuration)
    return hear(sound, block: block, with: &segmenter)
  }

  static func hear(
    _ sound: PCMBuffer, block: Int = 320, with segmenter: inout SpeechSegmenter
  ) -> [Heard] {
    var heard: [Heard] = []
    func take(_ events: [SpeechSegmenterEvent]) {
      for event in events {
        switch event {
        case .speechStarted(let start, let preRoll):
          heard.append(Heard(start: start, sound: preRoll))
        case .speech(let more): heard[heard.count - 1].sound.append(more)
        case .pauseStarted: heard[heard.count - 1].pauses += 1
        case .speechResumed: heard[heard.count - 1].resumptions += 1
        case .speechEnded(let end): heard[heard.count - 1].end = end
        }
      }
    }
    for start in stride(from: 0, to: sound.frameCount, by: block) {
      take(segmenter.process(sound.slice(start..<start + block)))
    }
    take(segmenter.finish())
    return heard
  }

  /// Checks that the audio of each utterance is the stream from its start to its end, and that they
  /// do not overlap.
  static func checkSound(_ heard: [Heard], of stream: PCMBuffer) {
    var last = 0
    for utterance in heard {
      #expect(utterance.start >= last)
      #expect(utterance.end - utterance.start == utterance.sound.frameCount)
      #expect(utterance.sound == stream.slice(utterance.start..<utterance.end))
      last = utterance.end
    }
  }

  @Test(
    arguments: Endurance.cases(
      full: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000], short: [8_000, 22_050, 48_000]))
  func `an utterance is found in full at any rate`(rate: Int) {
    let stream = Self.scene(seconds: 5, rate: rate, [(1.5, Self.voice(seconds: 2, rate: rate))])
    let heard = Self.hear(stream, block: rate / 50)
    #expect(heard.count == 1)
    Self.checkSound(heard, of: stream)
    guard let first = heard.first else { return }
    let start = Double(first.start) / Double(rate)
    let end = Double(first.end) / Double(rate)
    #expect(start > 1.1 && start < 1.5, "\(start)")
    #expect(end > 3.5 && end < 4.0, "\(end)")
  }

  @Test(
    arguments: Endurance.cases(
      full: [1, 7, 160, 333, 1_024, 16_000, 1_000_000], short: [7, 333, 1_000_000]))
  func `the result does not depend on the sizes of the blocks`(block: Int) {
    let stream = Self.scene(
      seconds: 7, noise: -45, [(0.2, Self.voice(seconds: 1)), (3, Self.voice(seconds: 2.3))])
    let configuration = SpeechSegmenterConfiguration(maximumUtterance: .seconds(2))
    let heard = Self.hear(stream, block: block, configuration: configuration)
    #expect(heard == Self.hear(stream, configuration: configuration))
    #expect(heard.count >= 2)
    Self.checkSound(heard, of: stream)
  }

  @Test(arguments: [-90.0, -60, -40, -25, -15])
  func `steady noise is not speech, from the first moment on`(level: Double) {
    #expect(Self.hear(Self.scene(seconds: Endurance.isFull ? 20 : 5, noise: level)).isEmpty)
  }

  @Test func `digital silence, hum and clicks are not speech`() {
    #expect(Self.hear(Self.scene(seconds: 5, noise: nil)).isEmpty)
    let hum = SoundFixtures.tone(100, seconds: 10, amplitude: 0.2)
    #expect(Self.hear(Self.scene(seconds: 10, [(0, hum)])).isEmpty)
    let click = SoundFixtures.noise(seconds: 0.006, decibels: -8)
    let clicks = stride(from: 0.3, to: 10, by: 0.37).map { ($0, click) }
    #expect(Self.hear(Self.scene(seconds: 10, clicks)).isEmpty)
    #expect(Self.hear(Self.scene(seconds: 10, noise: nil, clicks)).isEmpty)
  }

  @Test(arguments: [nil, -65.0, -35])
  func `speech at the very beginning is found from its first frame on`(noise: Double?) {
    let stream = Self.scene(seconds: 4, noise: noise, [(0, Self.voice(seconds: 2))])
    let heard = Self.hear(stream)
    #expect(heard.count == 1)
    #expect(heard.first?.start == 0)
    #expect(heard.first.map { $0.end > 31_000 } == true)
  }

  @Test(arguments: [nil, -70.0])
  func `quiet speech is speech`(noise: Double?) {
    let voice = Self.voice(seconds: 2, decibels: -45)
    let heard = Self.hear(Self.scene(seconds: 5, noise: noise, [(1, voice)]))
    #expect(heard.count == 1)
    #expect(heard.first.map { $0.start <= 16_000 && $0.end >= 47_000 } == true)
  }

  @Test(arguments: [20.0, 10, 5])
  func `speech is found in noise`(ratio: Double) {
    let stream = Self.scene(
      seconds: 12, noise: -20 - ratio,
      [(2, Self.voice(seconds: 1.5)), (6, Self.voice(seconds: 0.5)), (9, Self.voice(seconds: 1))])
    let heard = Self.hear(stream)
    #expect(heard.count == 3)
    for (utterance, (start, end)) in zip(heard, [(2.0, 3.5), (6, 6.5), (9, 10)]) {
      // The first and last tenth of a second of this voice are softer than the noise.
      #expect(Double(utterance.start) / 16_000 < start + 0.05)
      #expect(Double(utterance.end) / 16_000 > end - 0.05)
    }
  }

  @Test func `louder noise becomes the background within seconds`() {
    var stream = Self.scene(seconds: 5, noise: -70)
    stream.append(Self.scene(seconds: 15, noise: -30, [(10, Self.voice(seconds: 1))]))
    let heard = Self.hear(stream)
    #expect(heard.count <= 2)
    #expect(heard.last.map { $0.start > 14 * 16_000 && $0.end < 17 * 16_000 } == true)
    #expect(heard.dropLast().allSatisfy { $0.end < 10 * 16_000 })
  }

  @Test func `softer noise becomes the background at once`() {
    var stream = Self.scene(seconds: 5, noise: -20)
    stream.append(
      Self.scene(seconds: 4, noise: -60, [(1, Self.voice(seconds: 1, decibels: -35))]))
    let heard = Self.hear(stream)
    #expect(heard.count == 1)
    #expect(heard.first.map { $0.start > 88_000 && $0.start < 96_000 } == true)
  }

  @Test func `a short pause does not end the utterance`() {
    let stream = Self.scene(
      seconds: 5, [(1, Self.voice(seconds: 1)), (2.5, Self.voice(seconds: 1))])
    let heard = Self.hear(stream)
    #expect(heard.count == 1)
    #expect(heard.first?.pauses == 2)
    #expect(heard.first?.resumptions == 1)
    Self.checkSound(heard, of: stream)
  }

  @Test func `the silence that ends an utterance can be chosen`() {
    let stream = Self.scene(
      seconds: 5, [(1, Self.voice(seconds: 1)), (2.6, Self.voice(seconds: 1))])
    #expect(Self.hear(stream, configuration: .init(maximumSilence: .milliseconds(400))).count == 2)
    #expect(Self.hear(stream, configuration: .init(maximumSilence: .seconds(2))).count == 1)
  }

  @Test func `a short dip is not a pause`() {
    let stream = Self.scene(
      seconds: 4, [(1, Self.voice(seconds: 1)), (2.05, Self.voice(seconds: 0.7))])
    #expect(Self.hear(stream).map(\.pauses) == [1])
  }

  @Test func `an utterance that is too long is cut where it is quietest and loses nothing`() {
    // One voice without a pause, but for a dip at 8.9 seconds.
    let stream = Self.scene(
      seconds: 20, [(1, Self.voice(seconds: 7.9)), (9.05, Self.voice(seconds: 6))])
    let heard = Self.hear(stream, configuration: .init(maximumUtterance: .seconds(10)))
    #expect(heard.count == 2)
    #expect(heard.first?.end == heard.last?.start)
    #expect(heard.first.map { abs($0.end - 143_600) < 2_400 } == true)
    Self.checkSound(heard, of: stream)
  }

  @Test func `an endless utterance is cut again and again without a gap`() {
    let seconds = Endurance.isFull ? 18.0 : 10
    let stream = Self.scene(seconds: seconds + 2, [(1, Self.voice(seconds: seconds))])
    let heard = Self.hear(stream, configuration: .init(maximumUtterance: .seconds(3)))
    #expect(heard.count > 3)
    #expect(heard.allSatisfy { $0.end - $0.start <= 3 * 16_000 + 160 })
    for (one, next) in zip(heard, heard.dropFirst()) { #expect(one.end == next.start) }
    Self.checkSound(heard, of: stream)
  }

  @Test func `the end of the stream ends the utterance`() {
    let stream = Self.scene(seconds: 2, [(1, Self.voice(seconds: 1))])
    let heard = Self.hear(stream)
    #expect(heard.count == 1)
    #expect(heard.first.map { $0.end > 31_000 } == true)
    Self.checkSound(heard, of: stream)
  }

  @Test func `a stream may be shorter than anything`() {
    for frames in [0, 1, 100, 1_000, 6_000] {
      #expect(Self.hear(Self.scene(seconds: Double(frames) / 16_000)).isEmpty)
    }
    let word = Self.scene(seconds: 0.3, [(0.05, Self.voice(seconds: 0.2))])
    #expect(Self.hear(word).map(\.sound.frameCount) == [4_800])
  }

  @Test func `after its end another stream may begin`() {
    let stream = Self.scene(seconds: 3, [(1, Self.voice(seconds: 1))])
    var segmenter = SpeechSegmenter(format: .recognition)
    let first = Self.hear(stream, with: &segmenter)
    let second = Self.hear(stream, with: &segmenter)
    #expect(first.count == 1 && second.count == 1)
    #expect(abs((first.first?.start ?? 0) - (second.first?.start ?? 0)) <= 320)
    Self.checkSound(second, of: stream)
  }

  @Test func `sensitivity determines whether soft speech is found`() {
    let stream = Self.scene(seconds: 8, noise: -40, [(3, Self.voice(seconds: 1, decibels: -45))])
    #expect(Self.hear(stream, configuration: .init(sensitivity: 0)).isEmpty)
    #expect(Self.hear(stream, configuration: .init(sensitivity: 1)).count == 1)
  }

  @Test func `invalid settings are corrected`() {
    let configuration = SpeechSegmenterConfiguration(
      preRoll: .seconds(-1), minimumSpeech: .zero, minimumSilence: .seconds(-5),
      maximumSilence: .zero, maximumUtterance: .zero, trailingPadding: .seconds(Int64.max),
      sensitivity: 99)
    let stream = Self.scene(seconds: 4, [(1, Self.voice(seconds: 1))])
    let heard = Self.hear(stream, configuration: configuration)
    #expect(!heard.isEmpty)
    Self.checkSound(heard, of: stream)
  }

  @Test func `negative durations count as zero`() {
    let never = Duration.seconds(-Int64.max)
    let configuration = SpeechSegmenterConfiguration(
      preRoll: never, minimumSpeech: never, minimumSilence: never, maximumSilence: never,
      maximumUtterance: never, trailingPadding: never)
    let scene = Self.scene(seconds: 3, [(1, Self.voice(seconds: 1))])
    #expect(!Self.hear(scene, configuration: configuration).isEmpty)
  }
}
