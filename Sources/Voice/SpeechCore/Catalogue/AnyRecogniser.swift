import Foundation
import SpeechAudio

/// A recogniser from a catalogue, ready to listen.
///
/// ```swift
/// let recogniser = try SpeechCatalog.current.recogniser("pocketsphinx:fast")
/// let transcript = try await recogniser.makeTranscriber().transcribe(recording)
/// ```
public struct AnyRecogniser: Sendable {
  /// The name by which the catalogue creates it again.
  package let name: BackendName
  /// The entry that created it.
  public let entry: RecogniserEntry
  /// Its decoder's configuration, for code that works with any `SpeechDecoder`.
  public let configuration: AnyDecoder.Configuration

  /// The settings it was created with.
  private let settings: RecogniserSettings
  /// The recognisers that work with it, such as a spotter of key phrases.
  private let others: [AnyRecogniser]
  private let provider:
    @MainActor @Sendable (any AudioInput, SpeechSegmenterConfiguration)
      -> any ConversationalRecognition

  package init<Decoder: SpeechDecoder>(
    _ name: BackendName, _ entry: RecogniserEntry, _ settings: RecogniserSettings,
    of decoder: Decoder.Type, configuration: Decoder.Configuration
  ) {
    self.init(
      name, entry, settings, with: [], of: decoder, configuration: configuration)
  }

  /// Combines a recogniser with others, as a decoder around theirs.
  package init<Decoder: SpeechDecoder>(
    _ first: AnyRecogniser, with others: [AnyRecogniser], of decoder: Decoder.Type,
    configuration: Decoder.Configuration
  ) {
    self.init(
      first.name, first.entry, first.settings, with: first.others + others, of: decoder,
      configuration: configuration)
  }

  private init<Decoder: SpeechDecoder>(
    _ name: BackendName, _ entry: RecogniserEntry, _ settings: RecogniserSettings,
    with others: [AnyRecogniser], of decoder: Decoder.Type, configuration: Decoder.Configuration
  ) {
    self.name = name
    self.entry = entry
    self.settings = settings
    self.others = others
    self.configuration = AnyDecoder.Configuration(of: decoder, configuration: configuration)
    provider = { input, segmenter in
      DecoderRecognitionProvider<Decoder>(
        completed: configuration, input: input, segmenter: segmenter)
    }
  }

  /// Throws if the recogniser cannot be used for that language, for example because its model or
  /// key is missing.
  package func checkAccess(locale: Locale) async throws {
    try await entry.checkAccess(settings, locale: locale)
    for other in others { try await other.checkAccess(locale: locale) }
  }

  /// Creates a provider that hears that input.
  @MainActor public func makeProvider(
    input: any AudioInput,
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) -> any ConversationalRecognition {
    provider(input, segmenter)
  }

  /// Creates a transcriber of recordings. Its models are loaded with the first one.
  public func makeTranscriber(
    locale: Locale = Locale(identifier: "en-US"),
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) -> SpeechTranscriber<AnyDecoder> {
    SpeechTranscriber(configuration: configuration, locale: locale, segmenter: segmenter)
  }
}
