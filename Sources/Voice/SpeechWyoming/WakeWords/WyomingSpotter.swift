import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// Waits for key phrases with an engine for wake words.
final class WyomingSpotter {
  /// The frames of an utterance that are kept for an engine that is lost or slow: ten seconds, much
  /// more than a phrase.
  private static let keptFrames = 160_000
  /// The duration that a phrase is assumed to have, because the engine reports its end only.
  private static let duration = 1.0

  private let detection: WyomingDetection
  private let engine: WyomingEngine
  private let timeout: Duration
  private var audio = WyomingAudio()
  private var live: WyomingLive<WyomingDetection>?

  init(of phrases: [String], by engine: WyomingEngine, timeout: Duration) {
    detection = WyomingDetection(of: phrases)
    self.engine = engine
    self.timeout = timeout
  }

  nonisolated(nonsending) func hear(_ input: DecoderInput) async throws -> DecoderOutput {
    switch input {
    case .start:
      reset()
      live = WyomingLive(detection, by: engine)
    case .audio(let new):
      audio.append(new, keeping: Self.keptFrames)
      live?.proceed(with: audio)
      guard case .heard(let finding)? = live?.attempt?.answer else { return DecoderOutput() }
      return DecoderOutput(partialText: finding.phrase, isComplete: true)
    case .finish:
      let (heard, begun) = (audio, live?.attempt)
      live = nil
      reset()
      return try await result(of: heard, begun: begun)
    case .discard:
      reset()
    case .utterance(let whole):
      reset()
      return try await result(of: WyomingAudio(whole), begun: nil)
    case .silence, .keyPhraseExpected, .context, .paused:
      break
    }
    return DecoderOutput()
  }

  private func reset() {
    live?.attempt?.cancel()
    live = nil
    audio = WyomingAudio()
  }

  private nonisolated(nonsending) func result(
    of audio: WyomingAudio, begun: WyomingAttempt<WyomingDetection>?
  ) async throws -> DecoderOutput {
    guard audio.end > 0 else {
      begun?.cancel()
      return DecoderOutput()
    }
    let limit = timeout + audio.kept.duration * 4
    let answer = try await ExternalWork.run { [engine, detection] in
      try await engine.answer(
        to: audio, listening: detection, begun: begun, until: .init(limit))
    }
    guard case .heard(let finding) = answer else { return DecoderOutput() }
    let rate = Double(AudioFormat.recognition.sampleRate)
    let end = Double(min(finding.end ?? audio.end, audio.end)) / rate
    let phrase = RecognizedWord(
      text: finding.phrase, start: max(0, end - Self.duration), end: end)
    return DecoderOutput(
      utterance: DecodedUtterance(text: phrase.text, words: [phrase], keyPhrase: phrase))
  }
}
