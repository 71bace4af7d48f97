import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// A decoder that sends each utterance to an engine of the Wyoming protocol, such as
/// faster-whisper.
///
/// ```swift
/// let configuration = WyomingConfiguration(engine: "localhost:10300")
/// let transcriber = SpeechTranscriber<WyomingDecoder>(configuration: configuration)
/// let transcript = try await transcriber.transcribe(recording)
/// ```
/// The audio is sent while it is spoken. If the engine is lost in the middle, the utterance is sent
/// again from its beginning as soon as the engine is back, and reported once.
///
/// With `keyPhrases` it waits for wake words, with an engine such as openWakeWord:
/// ```swift
/// let spotter = WyomingConfiguration(engine: "localhost:10400", keyPhrases: ["okay nabu"])
/// ```
public final class WyomingDecoder: SpeechDecoder {
  /// The identifier of the recogniser.
  public static let identifier = "com.speechkit.wyoming"
  /// Always true. Whether the engine answers is known only with the first utterance.
  public static let isAvailable = true

  /// 16 kHz, which every engine takes.
  public let format = AudioFormat.recognition

  private let configuration: WyomingConfiguration
  private let engine: WyomingEngine
  private let transcription: WyomingTranscription
  /// Listens for the key phrases, if there are any.
  private let spotter: WyomingSpotter?
  private var utterance = PCMBuffer(format: .recognition)
  /// The transcription of the utterance in progress.
  private var live: WyomingLive<WyomingTranscription>?

  /// Creates a decoder for a language. The engine is reached with the first utterance.
  ///
  /// - Throws: `SpeechRecognitionError` if the address is not valid, or its program not installed.
  public init(configuration: WyomingConfiguration, locale: Locale) throws {
    do throws(WyomingError) {
      engine = WyomingEngine(try WyomingAddress(configuration.engine))
      try engine.checkInstallation()
    } catch {
      throw SpeechRecognitionError(error)
    }
    self.configuration = configuration
    transcription = WyomingTranscription(language: locale.identifier(.bcp47))
    let phrases = configuration.keyPhrases
    spotter =
      phrases.isEmpty
      ? nil : WyomingSpotter(of: phrases, by: engine, timeout: configuration.timeout)
  }

  /// Sends the audio of an utterance, and waits for the text at its end.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    do {
      if let spotter { return try await spotter.hear(input) }
      return try await transcribe(input)
    } catch let error as WyomingError {
      throw SpeechRecognitionError(error)
    }
  }

  private nonisolated(nonsending) func transcribe(
    _ input: DecoderInput
  ) async throws -> DecoderOutput {
    switch input {
    case .start:
      reset()
      if !engine.answersEarly { live = WyomingLive(transcription, by: engine) }
    case .audio(let audio):
      utterance.append(audio)
      return DecoderOutput(partialText: draft())
    case .finish:
      let (complete, begun) = (utterance, live?.attempt)
      live = nil
      reset()
      return try await transcription(of: complete, begun: begun)
    case .discard:
      reset()
    case .utterance(let audio):
      reset()
      return try await transcription(of: audio, begun: nil)
    case .silence, .keyPhraseExpected, .context, .paused:
      break
    }
    return DecoderOutput()
  }

  private func reset() {
    live?.attempt?.cancel()
    live = nil
    utterance.samples = []
  }

  /// Sends the audio so far as far as the engine takes it. After a loss it is sent again.
  ///
  /// - Returns: the text so far, if it has changed.
  private func draft() -> String? {
    let text = live?.attempt?.listening.draft
    live?.proceed(with: WyomingAudio(utterance))
    guard configuration.reportsPartials, let new = live?.attempt?.listening.draft, new != text
    else { return nil }
    return new
  }

  private nonisolated(nonsending) func transcription(
    of utterance: PCMBuffer, begun: WyomingAttempt<WyomingTranscription>?
  ) async throws -> DecoderOutput {
    guard !utterance.isEmpty else {
      begun?.cancel()
      return DecoderOutput()
    }
    let limit = configuration.timeout + utterance.duration * 4
    let text = try await ExternalWork.run { [engine, transcription] in
      try await engine.text(of: utterance, transcription, begun: begun, until: .init(limit))
    }
    return DecoderOutput(utterance: text.isEmpty ? nil : DecodedUtterance(text: text))
  }
}

extension SpeechRecognitionError {
  init(_ error: WyomingError) {
    self = .recognitionFailed(error.localizedDescription)
  }
}
