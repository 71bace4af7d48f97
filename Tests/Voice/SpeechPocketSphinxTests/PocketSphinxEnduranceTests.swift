import ConformanceTesting
import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechPocketSphinx

/// Many decoders, at once and one after the other.
@Suite struct PocketSphinxEnduranceTests {
  private static func decoder() throws -> PocketSphinxDecoder {
    let configuration = PocketSphinxConfiguration(
      search: .grammar(
        "#JSGF V1.0; grammar g; public <a> = (front | rear | side) (center | left | right);"),
      modelFolder: PocketSphinxModelPlaces.distribution)
    return try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en_US"))
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `decoders in different threads hear the same`() async throws {
    let names = ["Front_Center", "Rear_Left", "Side_Right"]
    let sounds = try names.map(Recordings.alsa)
    let results = try await withThrowingTaskGroup(of: [DecodedUtterance?].self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await onOwnThread {
            let decoder = try Self.decoder()
            return try sounds.map { try decoder.decode($0) }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 3)
    #expect(results[0].map { $0?.text } == ["front center", "rear left", "side right"])
    #expect(results.allSatisfy { $0 == results[0] })
  }

  // Both in processes of their own, where nothing else allocates or opens files.

  @Test func `decoders leave nothing when they are released`() async {
    await #expect(processExitsWith: .success) {
      let cycles = Endurance.count(full: 100, short: 8)
      let sound = Recordings.noise(8_000)
      func cycle() throws {
        let decoder = try Self.decoder()
        _ = try decoder.decode(sound)
        try decoder.startUtterance()
        _ = try decoder.process(sound)
        _ = try decoder.finishUtterance()
      }
      for _ in 0..<3 { try cycle() }
      let before = ProcessHoldings.now()
      for _ in 0..<cycles { try cycle() }
      let after = ProcessHoldings.now()
      #expect(after.hasGrown(since: before, atMostKibibytes: 20 << 10))
      #expect(after.descriptors == before.descriptors)
    }
  }

  @Test func `many short utterances leave nothing allocated`() async {
    await #expect(processExitsWith: .success) {
      let decoder = try Self.decoder()
      func utterance(_ length: Int) throws {
        try decoder.startUtterance()
        _ = try decoder.process(Recordings.noise(length))
        if length % 3 == 0 { decoder.discardUtterance() } else { _ = try decoder.finishUtterance() }
      }
      for length in 0..<300 { try utterance(length * 7 % 2_000) }
      let before = ProcessHoldings.now()
      for length in 0..<600 { try utterance(length * 7 % 2_000) }
      #expect(ProcessHoldings.now().hasGrown(since: before, atMostKibibytes: 10 << 10))
    }
  }
}
