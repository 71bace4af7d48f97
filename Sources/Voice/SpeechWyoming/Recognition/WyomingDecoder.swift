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
public final class WyomingDecoder: SpeechDecoder {
  /// The identifier of the recogniser.
  public static let identifier = "com.speechkit.wyoming"
  /// Always true. Whether the engine answers is known only with the first utterance.
  public static let isAvailable = true
  /// The losses during an utterance after which its audio is sent at its end only.
  private static let mostLosses = 3

  /// 16 kHz, which every engine takes.
  public let format = AudioFormat.recognition

  private let configuration: WyomingConfiguration
  private let engine: WyomingEngine
  private let language: String
  private var utterance = PCMBuffer(format: .recognition)
  /// The transcription of the utterance in progress.
  private var running: WyomingTranscription?
  private var losses = 0

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
    language = locale.identifier(.bcp47)
  }

  /// Sends the audio of an utterance, and waits for the text at its end.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start:
      reset()
      // In virtual time, all of it is sent at the end, outside of that time.
      if !ExternalWork.isInVirtualTime { start() }
    case .audio(let audio):
      utterance.append(audio)
      return DecoderOutput(partialText: draft())
    case .finish:
      let (complete, begun) = (utterance, running)
      running = nil
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
    running?.cancel()
    running = nil
    utterance.samples = []
    losses = 0
  }

  private func start() {
    running = try? WyomingTranscription(by: engine, language: language)
  }

  /// Sends the audio so far as far as the engine takes it. After a loss it is sent again.
  ///
  /// - Returns: the text so far, if it has changed.
  private func draft() -> String? {
    guard var transcription = running else { return nil }
    let text = transcription.draft
    do {
      try transcription.proceed(with: utterance)
      running = transcription
    } catch {
      running = nil
      losses += 1
      // The reason is reported at the end of the utterance, if it remains.
      if losses < Self.mostLosses { start() }
    }
    guard configuration.reportsPartials, transcription.draft != text else { return nil }
    return transcription.draft
  }

  private nonisolated(nonsending) func transcription(
    of utterance: PCMBuffer, begun: WyomingTranscription?
  ) async throws -> DecoderOutput {
    guard !utterance.isEmpty else {
      begun?.cancel()
      return DecoderOutput()
    }
    let deadline = WyomingLink.Deadline(configuration.timeout + utterance.duration * 4)
    do {
      let text = try await ExternalWork.run { [engine, language] in
        try await engine.persist(until: deadline) { losses in
          var transcription =
            if losses == 0, let begun, begun.isOpen {
              begun
            } else {
              try WyomingTranscription(by: engine, language: language)
            }
          return try await transcription.finish(with: utterance, until: deadline)
        }
      }
      return DecoderOutput(utterance: text.isEmpty ? nil : DecodedUtterance(text: text))
    } catch let error as WyomingError {
      throw SpeechRecognitionError(error)
    }
  }
}

extension SpeechRecognitionError {
  init(_ error: WyomingError) {
    self = .recognitionFailed(error.localizedDescription)
  }
}
