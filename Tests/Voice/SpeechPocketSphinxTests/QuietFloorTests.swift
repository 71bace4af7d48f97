import Foundation
import SpeechAudio
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechPocketSphinx

/// Frames of noise at these levels in decibels below full scale; `nil` is digital silence.
private func sound(_ levels: [Double?]) -> [Int16] {
  var random = SeededNumbers(seed: 3)
  return levels.flatMap { level in
    (0..<160).map { _ in
      guard let level else { return Int16(0) }
      return Int16(32_767 * pow(10, level / 20) * (random.fraction() * 2 - 1))
    }
  }
}

@DecodingQueue struct QuietFloorTests {
  private let silence = [Double?](repeating: nil, count: 20)
  private let speech: [Double?] = (0..<80).map { -10 - Double($0 % 10) }

  @Test func `silence around nothing but speech gets a faint noise, and speech nothing`() throws {
    let samples = sound(silence + speech + silence)
    let lifted = try #require(QuietFloor.lifted(samples[...]))
    #expect(lifted.count == samples.count)
    #expect(lifted[3_200..<16_000] == samples[3_200..<16_000])
    for part in [lifted[..<3_200], lifted[16_000...]] {
      let power = part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count)
      // 60 dB below the louder frames, which are at 15,000 and less.
      #expect((1..<60).contains(power))
    }
  }

  @Test func `the same audio gets the same noise`() throws {
    let samples = sound(silence + speech)
    let longer = [7] + samples
    #expect(QuietFloor.lifted(samples[...]) == QuietFloor.lifted(longer[1...]))
  }

  @Test func `audio with audible pauses is unchanged`() {
    let room = [Double?](repeating: -55, count: 10)
    #expect(QuietFloor.lifted(sound(silence + speech + room + silence)[...]) == nil)
  }

  @Test func `audio without silence is unchanged`() {
    #expect(QuietFloor.lifted(sound(speech)[...]) == nil)
  }

  @Test(arguments: [0, 1, 159, 160, 16_000])
  func `pure silence is unchanged`(count: Int) {
    let samples = [Int16](repeating: 0, count: count)
    #expect(QuietFloor.lifted(samples[...]) == nil)
  }

  @Test func `extreme values do no harm`() {
    let samples = (0..<4_000).map { $0 < 2_000 ? ($0 % 2 == 0 ? Int16.max : .min) : 0 }
    #expect(QuietFloor.lifted(samples[...]) != nil)
  }
}
