import Foundation
import SpeechAudio
import SpeechCore
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

  /// Resident memory in bytes.
  private var memory: Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(
      separator: " ")
    return (fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
  }

  private var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `decoders in different threads hear the same`() async throws {
    let names = ["Front_Center", "Rear_Left", "Side_Right"]
    let sounds = try names.map(Recordings.alsa)
    let results = try await withThrowingTaskGroup(of: [DecodedUtterance?].self) { group in
      for _ in 0..<3 {
        group.addTask {
          let decoder = try Self.decoder()
          return try sounds.map { try decoder.decode($0) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 3)
    #expect(results[0].map { $0?.text } == ["front center", "rear left", "side right"])
    #expect(results.allSatisfy { $0 == results[0] })
  }

  @Test func `decoders come and go without leaving anything`() throws {
    // Other tests beside this one take memory as well; with SPEECHKIT_CYCLES it is meant to be alone,
    // and the bound is strict.
    let asked = Int(ProcessInfo.processInfo.environment["SPEECHKIT_CYCLES"] ?? "")
    let cycles = asked ?? 12
    let allowed = asked == nil ? 300 << 20 : 20 << 20
    let sound = PCMBuffer(
      samples: (0..<8000).map { _ in Int16.random(in: -500...500) }, format: .recognition)
    func cycle() throws {
      let decoder = try Self.decoder()
      _ = try decoder.decode(sound)
      try decoder.startUtterance()
      _ = try decoder.process(sound)
      _ = try decoder.finishUtterance()
    }
    for _ in 0..<3 { try cycle() }
    let (memoryBefore, descriptorsBefore) = (memory, descriptors)
    for _ in 0..<cycles { try cycle() }
    #expect(memory - memoryBefore < allowed)
    #expect(descriptors - descriptorsBefore < 12)
  }

  @Test func `many short utterances leave nothing behind`() throws {
    let decoder = try Self.decoder()
    func utterance(_ length: Int) throws {
      let sound = PCMBuffer(
        samples: (0..<length).map { _ in Int16.random(in: -500...500) }, format: .recognition)
      try decoder.startUtterance()
      _ = try decoder.process(sound)
      if length % 3 == 0 { decoder.discardUtterance() } else { _ = try decoder.finishUtterance() }
    }
    for length in 0..<100 { try utterance(length * 7) }
    let before = memory
    for length in 0..<600 { try utterance(length * 7 % 2000) }
    #expect(memory - before < 10 << 20)
  }
}
