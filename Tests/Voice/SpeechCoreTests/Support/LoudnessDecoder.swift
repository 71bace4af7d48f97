import Foundation
import SpeechAudio
import SpeechCore

/// A decoder whose partial text is the duration so far in tenths of a second, and whose word spans
/// the loud samples.
final class LoudnessDecoder: SpeechDecoder {
  struct Configuration: Sendable {
    var loadError: SpeechRecognitionError?
    var processError: SpeechRecognitionError?
    /// The number of frames that completes an utterance, as a key phrase would.
    var completesAfter: Int?
    /// The maximum length of the word in frames, as of a key phrase that a command follows.
    var longestWord = Int.max
    var log = Recorder<String>()
    /// The number of frames below which audio is rejected.
    var acceptsFrom = 0
    /// Called before the result of an utterance is created.
    var beforeFinish: @Sendable () async -> Void = {}
  }

  static let identifier = "test.loudness"
  static let isAvailable = true

  let format = AudioFormat.recognition
  private let configuration: Configuration
  private var heard: PCMBuffer?

  init(configuration: Configuration, locale: Locale) throws {
    configuration.log.add("load \(locale.identifier)")
    if let error = configuration.loadError { throw error }
    self.configuration = configuration
  }

  nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start:
      configuration.log.add("start")
      heard = PCMBuffer(format: format)
    case .audio(let audio):
      return try process(audio)
    case .finish:
      return DecoderOutput(utterance: await finishUtterance())
    case .discard:
      configuration.log.add("discard")
      heard = nil
    case .utterance(let audio):
      return try await hearStreamed(audio, partial: partial)
    case .silence, .keyPhraseExpected, .context, .paused: break
    }
    return DecoderOutput()
  }

  private func process(_ audio: PCMBuffer) throws -> DecoderOutput {
    if let error = configuration.processError { throw error }
    heard?.append(audio)
    let frames = heard?.frameCount ?? 0
    return DecoderOutput(
      partialText: "\(frames / 1_600)",
      isComplete: configuration.completesAfter.map { frames >= $0 } ?? false)
  }

  private nonisolated(nonsending) func finishUtterance() async -> DecodedUtterance? {
    configuration.log.add("finish")
    await configuration.beforeFinish()
    guard let heard else { return nil }
    self.heard = nil
    guard let first = heard.samples.firstIndex(where: { $0.magnitude > 1_000 }),
      let last = heard.samples.lastIndex(where: { $0.magnitude > 1_000 })
    else { return nil }
    let end = first + min(last + 1 - first, configuration.longestWord)
    let word = RecognizedWord(
      text: "sound", start: Double(first) / 16_000, end: Double(end) / 16_000)
    return DecodedUtterance(
      text: "sound", confidence: 0.9, words: [word],
      isAccepted: last + 1 - first >= configuration.acceptsFrom)
  }
}

extension PCMBuffer {
  /// A buzz that any voice detector takes for speech: a pulse train with the formants of a vowel.
  static func buzz(_ duration: Duration, format: AudioFormat = .recognition) -> PCMBuffer {
    let period = format.sampleRate / 120
    let pulse = (0..<period).map { index in
      (1...30).reduce(0.0) { sum, harmonic in
        let frequency = 120.0 * Double(harmonic)
        let hill =
          exp(-pow((frequency - 700) / 300, 2)) + 0.5 * exp(-pow((frequency - 1_800) / 400, 2))
        return sum + hill * sin(2 * .pi * Double(harmonic * index) / Double(period))
      }
    }
    let syllable = format.sampleRate / 4
    let samples = (0..<format.frames(in: duration)).map { index in
      let loudness = 0.6 + 0.4 * sin(2 * .pi * Double(index % syllable) / Double(syllable))
      return Int16(clamping: Int(pulse[index % period] * loudness * 4_000))
    }
    return PCMBuffer(samples: samples, format: format)
  }
}
