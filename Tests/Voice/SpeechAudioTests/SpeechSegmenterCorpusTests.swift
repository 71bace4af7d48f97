import Foundation
@testable import SpeechAudio
import Testing

/// Recorded phrases, each followed by silence, with noise added.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["SPEECHKIT_CORPUS"]?.isEmpty == false,
    "SPEECHKIT_CORPUS names no folder of recordings"))
struct SpeechSegmenterCorpusTests {
  @Test(arguments: [40.0, 20, 10])
  func `every recorded phrase is found, and nothing in between`(ratio: Double) throws {
    let corpus = URL(
      filePath: ProcessInfo.processInfo.environment["SPEECHKIT_CORPUS"] ?? "",
      directoryHint: .isDirectory)
    var stream = PCMBuffer.silence(.seconds(3), format: .recognition)
    var phrases: [Range<Int>] = []
    for folder in ["commands", "digits"] {
      let place = corpus.appending(path: folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
      where name.hasSuffix(".wav") {
        let sound = try AudioFile.read(place.appending(path: name), as: .recognition)
        let phrase = sound.amplified(byDecibels: -20 - sound.level)
        phrases.append(stream.frameCount..<stream.frameCount + phrase.frameCount)
        stream.append(phrase)
        stream.append(.silence(.milliseconds(1_500), format: .recognition))
      }
    }
    let noise = SoundFixtures.noise(seconds: stream.duration.inSeconds, decibels: -20 - ratio)
    stream.mix(noise, at: 0)
    let heard = SpeechSegmenterTests.hear(stream)
    SpeechSegmenterTests.checkSound(heard, of: stream)
    for phrase in phrases {
      #expect(heard.contains { ($0.start..<$0.end).overlaps(phrase) })
    }
    for utterance in heard {
      #expect(phrases.contains { $0.overlaps(utterance.start..<utterance.end) })
    }
  }
}
