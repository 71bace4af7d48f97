import Foundation
import SpeechAudio
import SpeechCore
import Synchronization

/// A voice that speaks every word as a tenth of a second of a level of its own, in one chunk per
/// word.
struct ToneVoice: VoiceEngine {
  struct Configuration: Sendable {
    var failure: (any Error & Sendable)?
    /// The number of words that are spoken before the failure.
    var wordsBeforeFailure = 0
    /// Called before each chunk is created.
    var beforeChunk: @Sendable (Int) async throws -> Void = { _ in }
  }

  static let identifier = "test.tone"
  static let isOffline = true
  static let format = AudioFormat(sampleRate: 8_000)
  static let framesPerWord = 800

  let engineId = "tone"

  func canGenerate(with configuration: Configuration) -> Bool { true }

  func fetchVoices(languageCode: String, configuration: Configuration) async throws -> [Voice] {
    [Voice(id: "tone", name: "Tone", languages: ["en"])]
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> VoiceEngineOutput {
    let audio = try await render(request, configuration: configuration)
    return VoiceEngineOutput(
      audioData: try AudioFile.encode(audio, as: .wav), audioFormat: .wav)
  }

  func estimateDuration(request: VoiceEngineRequest, configuration: Configuration) -> TimeInterval {
    Double(words(of: request).count) * 0.1
  }

  func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool { true }

  func streamAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let words = words(of: request)
    let next = Counter()
    return AsyncThrowingStream {
      let index = next.increment()
      if let failure = configuration.failure, index == configuration.wordsBeforeFailure {
        throw failure
      }
      guard index < words.count else { return nil }
      try await configuration.beforeChunk(index)
      try Task.checkCancellation()
      return chunk(words[index], index: index)
    }
  }

  static func samples(of word: Int) -> [Int16] {
    (0..<framesPerWord).map { Int16(truncatingIfNeeded: word * 1_000 + $0 % 7 + 1) }
  }

  private func words(of request: VoiceEngineRequest) -> [(text: String, range: Range<Int>)] {
    var words: [(String, Range<Int>)] = []
    var position = 0
    for part in request.text.split(separator: " ", omittingEmptySubsequences: false) {
      let length = part.unicodeScalars.count
      if length > 0 { words.append((String(part), position..<position + length)) }
      position += length + 1
    }
    return words
  }

  private func chunk(
    _ word: (text: String, range: Range<Int>), index: Int
  ) -> VoiceEngineChunk {
    let offset = Self.format.duration(ofFrames: index * Self.framesPerWord)
    var positions = [SpeechPosition(kind: .word, textRange: word.range, audioOffset: offset)]
    if word.text.first?.isUppercase == true {
      let sentence = SpeechPosition(
        kind: .sentence, textRange: word.range, audioOffset: offset)
      positions.insert(sentence, at: 0)
    }
    return VoiceEngineChunk(
      audio: PCMBuffer(samples: Self.samples(of: index), format: Self.format),
      positions: positions)
  }
}

/// Counts from zero.
final class Counter: Sendable {
  private let value = Atomic(0)

  func increment() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
