import Foundation
import SpeechAudio
import Testing

struct ResamplerTests {
  static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000, 96_000]

  @Test(arguments: rates, [16_000, 22_050, 48_000])
  func `the result is as long as the input`(from: Int, to: Int) throws {
    for seconds in [0.01, 0.5, 1.37] {
      let sound = SoundFixtures.tone(seconds: seconds, rate: from)
      let result = try sound.resampled(to: AudioFormat(sampleRate: to))
      let exact = Double(sound.frameCount) * Double(to) / Double(from)
      #expect(abs(Double(result.frameCount) - exact) <= 0.5)
    }
  }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000])
  func `the result is as long as the input, however short that is`(rate: Int) throws {
    for target in [8_000, 16_000, 44_100, 48_000, 96_000] {
      for frames in [1, 2, 3, 7, 160, 441] {
        let sound = PCMBuffer(
          samples: [Int16](repeating: 9, count: frames), format: AudioFormat(sampleRate: rate))
        let result = try sound.resampled(to: AudioFormat(sampleRate: target))
        let wanted = (Double(frames) * Double(target) / Double(rate)).rounded()
        #expect(result.frameCount == Int(wanted), "\(frames) at \(rate) to \(target)")
      }
    }
  }

  @Test(arguments: rates)
  func `a tone keeps its level and its position`(rate: Int) throws {
    let sound = SoundFixtures.tone(1_000, seconds: 0.5, rate: rate)
    let wanted = SoundFixtures.tone(1_000, seconds: 0.5, rate: 16_000)
    let result = try sound.resampled(to: .recognition)
    // Away from the ends, where the tone begins abruptly.
    let difference =
      zip(result.samples, wanted.samples).dropFirst(800).dropLast(800)
      .map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(difference < 400, "a delay of one frame would be 6400")
  }

  @Test func `frequencies above the new limit are removed`() throws {
    let sound = SoundFixtures.tone(12_000, rate: 48_000)
    let result = try sound.resampled(to: .recognition)
    #expect(result.slice(1_000..<15_000).level < -90)
  }

  @Test(arguments: [1, 7, 160, 441, 1_024, 40_000], [22_050, 44_100, 48_000])
  func `the result does not depend on the sizes of the pieces`(size: Int, rate: Int) throws {
    var numbers = RepeatableNumbers(seed: 7)
    let noise = PCMBuffer(
      samples: (0..<30_000).map { _ in Int16.random(in: -20_000...20_000, using: &numbers) },
      format: AudioFormat(sampleRate: rate))
    let whole = try noise.resampled(to: .recognition)
    var resampler = try Resampler(from: noise.format, to: .recognition)
    // Twice, because a resampler accepts another input after the end of one.
    for _ in 0..<2 {
      var pieces = PCMBuffer(format: .recognition)
      for start in stride(from: 0, to: noise.frameCount, by: size) {
        pieces.append(try resampler.process(noise.slice(start..<start + size)))
      }
      pieces.append(resampler.finish())
      #expect(pieces == whole)
    }
  }

  @Test func `a voice's rate becomes a recogniser's within a few milliseconds`() throws {
    var resampler = try Resampler(from: AudioFormat(sampleRate: 48_000), to: .recognition)
    let given = try resampler.process(SoundFixtures.tone(seconds: 1, rate: 48_000))
    #expect(given.duration > .milliseconds(950))
  }

  @Test func `equal rates change nothing`() throws {
    var resampler = try Resampler(from: .recognition, to: .recognition)
    let sound = SoundFixtures.tone()
    #expect(try resampler.process(sound) == sound)
    #expect(resampler.finish().isEmpty)
  }

  @Test func `empty input gives empty output`() throws {
    var resampler = try Resampler(from: AudioFormat(sampleRate: 8_000), to: .recognition)
    #expect(try resampler.process(PCMBuffer(format: resampler.inputFormat)).isEmpty)
    #expect(resampler.finish().isEmpty)
  }

  @Test(arguments: [-1, 0, 768_001, 0xFFFF_FFFF, Int.max])
  func `impossible rates are refused`(rate: Int) {
    let format = AudioFormat(sampleRate: rate)
    #expect(throws: AudioError.self) { _ = try Resampler(from: format, to: .recognition) }
    #expect(throws: AudioError.self) { _ = try Resampler(from: .recognition, to: format) }
  }

  @Test func `extreme rates are possible`() throws {
    let slow = PCMBuffer(
      samples: [Int16](repeating: 1_000, count: 3_000), format: AudioFormat(sampleRate: 1_000))
    let fast = try slow.resampled(to: AudioFormat(sampleRate: 768_000))
    #expect(fast.frameCount == 2_304_000)
    #expect(try fast.resampled(to: slow.format).frameCount == 3_000)
    #expect(throws: AudioError.self) {
      _ = try Resampler(from: AudioFormat(sampleRate: 1), to: .recognition)
    }
  }

  @Test func `audio of another rate is refused`() throws {
    var resampler = try Resampler(from: AudioFormat(sampleRate: 8_000), to: .recognition)
    #expect(throws: AudioError.self) { try resampler.process(SoundFixtures.tone(rate: 16_000)) }
  }

  @Test func `full scale stays full scale`() throws {
    let loud = SoundFixtures.tone(3_000, rate: 44_100, amplitude: 1)
    let result = try loud.resampled(to: .recognition)
    #expect(result.peak > 0.99)
    // A sum that overflows would jump from one end to the other.
    let jumps = zip(result.samples, result.samples.dropFirst()).filter {
      abs(Int($0) - Int($1)) > 60_000
    }
    #expect(jumps.isEmpty)
  }
}
