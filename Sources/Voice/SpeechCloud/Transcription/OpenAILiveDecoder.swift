import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// A decoder that sends each utterance to a transcription service while it is spoken, over
/// OpenAI's Realtime WebSocket.
///
/// The audio is segmented locally: silence is never sent, and an utterance ends as with every other
/// recogniser. The text has no word times. A connection is kept between utterances. When it is
/// lost, the utterance in progress is sent again over another one.
///
/// ```swift
/// let provider = DecoderRecognitionProvider<OpenAILiveDecoder>(
///   configuration: .init(service: OpenAIProvider()), input: PortAudioMicrophone())
/// ```
public final class OpenAILiveDecoder: SpeechDecoder {
  /// The configuration of a decoder.
  public struct Configuration: Sendable {
    /// The service that transcribes utterances.
    public var service: OpenAIProvider
    /// The model; `nil` for the service's default.
    public var model: String?
    /// Words that may occur, or the previous text.
    public var prompt: String?
    /// True if partial texts are reported.
    public var wantsPartials: Bool

    /// Creates a configuration for a service.
    public init(
      service: OpenAIProvider = OpenAIProvider(), model: String? = nil, prompt: String? = nil,
      wantsPartials: Bool = true
    ) {
      self.service = service
      self.model = model
      self.prompt = prompt
      self.wantsPartials = wantsPartials
    }
  }

  /// The identifier of the recogniser.
  public static let identifier = "com.speechkit.openai.live"
  /// Always true. Whether the service responds is known only with the first utterance.
  public static let isAvailable = true

  /// 16 kHz, like other recognisers. The audio is converted to 24 kHz, which the service requires.
  public let format = AudioFormat.recognition

  /// Shorter audio contains no word, and the service refuses it.
  private static let minimumFrames = AudioFormat.recognition.sampleRate / 10

  private let transcriber: OpenAILiveTranscriber
  private let wantsPartials: Bool
  private var resampler: Resampler
  private var utterance: OpenAILiveUtterance?
  private var frames = 0
  private var shown = ""

  /// Creates a decoder for a language. The connection is opened by the first utterance.
  public init(configuration: Configuration, locale: Locale) throws {
    transcriber = configuration.service.liveTranscriber(
      model: configuration.model, language: locale.language.languageCode?.identifier,
      prompt: configuration.prompt)
    wantsPartials = configuration.wantsPartials
    resampler = try Resampler(from: .recognition, to: AudioFormat(sampleRate: 24_000))
  }

  deinit { utterance?.cancel() }

  /// Sends the audio of an utterance as it arrives. Partial texts are reported as the service sends
  /// them.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start:
      reset()
      utterance = transcriber.begin()
    case .audio(let audio): return try send(audio)
    case .finish:
      guard utterance != nil else { break }
      defer { reset() }
      return try await finalText(partial)
    case .discard: reset()
    case .utterance(let audio): return try await hearStreamed(audio, partial: partial)
    case .silence, .keyPhraseExpected, .context, .paused: break
    }
    return DecoderOutput()
  }

  private func reset() {
    utterance?.cancel()
    utterance = nil
    _ = resampler.finish()
    frames = 0
    shown = ""
  }

  private func send(_ audio: PCMBuffer) throws -> DecoderOutput {
    guard let utterance else { return DecoderOutput() }
    frames += audio.frameCount
    try append(try resampler.process(audio), to: utterance)
    let text = utterance.text
    guard wantsPartials, text != shown else { return DecoderOutput() }
    shown = text
    return DecoderOutput(partialText: text)
  }

  private nonisolated(nonsending) func finalText(
    _ partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    let rest = resampler.finish()
    guard let utterance, frames >= Self.minimumFrames else { return DecoderOutput() }
    try append(rest, to: utterance)
    utterance.finish()
    do {
      while true {
        switch try await utterance.progress(after: shown) {
        case .text(let text):
          shown = text
          if wantsPartials { await partial(text) }
        case .finished(let reply):
          let text = reply.text
          return DecoderOutput(utterance: text.isEmpty ? nil : DecodedUtterance(text: text))
        }
      }
    } catch let error as AIServiceError {
      throw SpeechRecognitionError.recognitionFailed(error.message)
    }
  }

  private func append(_ audio: PCMBuffer, to utterance: OpenAILiveUtterance) throws {
    do {
      try utterance.append(audio.samples.map(\.littleEndian).withUnsafeBytes { Data($0) })
    } catch let error as AIServiceError {
      throw SpeechRecognitionError.recognitionFailed(error.message)
    }
  }
}
