import Foundation
import SpeechAudio
import SpeechCore

/// Recognises speech with PocketSphinx: dictation, the sentences of a grammar, or key phrases.
///
/// A decoder processes one utterance at a time and blocks while it works; different decoders may
/// work in different threads. An utterance longer than a minute is decoded in pieces. A decoder
/// keeps the cepstral mean from one utterance to the next; the first one is measured before it is
/// decoded.
/// ```swift
/// let decoder = try PocketSphinxDecoder(
///   configuration: PocketSphinxConfiguration(), locale: Locale(identifier: "en_US"))
/// let utterance = try await decoder.hear(.utterance(buffer)).utterance
/// ```
public final class PocketSphinxDecoder: SpeechDecoder, ExtensibleVocabulary {
  /// The fixed identifier of PocketSphinx.
  public static let identifier = "com.speechkit.pocketsphinx"

  /// True if a model for English, the language of the distribution, is installed.
  public static var isAvailable: Bool {
    (try? PocketSphinxModel.find(for: Locale(identifier: "en_US"))) != nil
  }

  /// The audio format of the models: 16 kHz.
  public let format = AudioFormat.recognition

  let model: PocketSphinxModel
  let handle: PocketSphinxHandle
  let words: WordSupply
  let dictionary: PronunciationDictionary
  var search: LoadedSearch
  /// The scorer of grammars and key phrases; `nil` if the acoustic model has a form that cannot be
  /// read here.
  let scorer: AcceptanceScorer?
  let acceptance: PocketSphinxAcceptance
  /// The evidence for and against the last sentence of a grammar, which the confidence is fitted
  /// to.
  package internal(set) var lastEvidence: AcceptanceEvidence?
  /// True while sentences of a grammar are scored. Benchmarks measure the cost of it.
  package var isWeighing = true
  let maximumAlternatives: Int
  let cut: UtteranceCut
  var utterance: LiveUtterance?
  /// True while the library is in the middle of a discarded utterance. Ending it can take a second,
  /// so it is ended by the next one.
  var isBrokenOff = false
  /// The derived pronunciations of words that the dictionary lacks.
  var derived: [String: [[String]]]
  /// The words that were added since the last utterance began: the library accepts them only
  /// between utterances.
  var waitingWords: [String: [[String]]] = [:]
  /// The mean of the last audio; `nil` before the first utterance.
  var lastMean: CepstralMean?

  /// Creates a decoder with the model of that language.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the model, the dictionary, the grammar
  ///   or a key phrase is missing or wrong; the text says what, and what to do.
  public convenience init(configuration: PocketSphinxConfiguration, locale: Locale) throws {
    try self.init(configuration: configuration, locale: locale, cut: .standard)
  }

  init(configuration: PocketSphinxConfiguration, locale: Locale, cut: UtteranceCut) throws {
    model = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    maximumAlternatives = min(max(configuration.maximumAlternatives, 0), 100)
    self.cut = cut
    var loader = try PocketSphinxLoader(
      model: model, configuration: configuration, locale: locale)
    words = loader.words
    dictionary = loader.dictionary
    handle = try loader.makeHandle()
    search = try loader.loadSearch(into: handle)
    derived = loader.derived
    scorer = search.isClosed ? try? AcceptanceScorer(folder: model.acousticModel) : nil
    acceptance = search.isGrammar ? configuration.acceptance : .off
  }

  /// Handles one input, and blocks while it decodes. Partial texts come at most ten times a second.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the input is out of order, the audio
  ///   has another format than `format`, or the library fails, which ends the utterance;
  ///   `outOfMemory`, after which the decoder cannot be used any more; `CancellationError` during a
  ///   complete utterance, within the time that a tenth of a second of audio takes, if the task is
  ///   cancelled.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    let output = try respond(to: input)
    // Results lack what the library had no memory for.
    try handle.checkMemory()
    return output
  }

  private func respond(to input: DecoderInput) throws -> DecoderOutput {
    switch input {
    case .start: try startUtterance()
    case .audio(let audio): return try process(audio)
    case .finish: return DecoderOutput(utterance: try finishUtterance())
    case .discard: discardUtterance()
    case .utterance(let audio): return DecoderOutput(utterance: try decode(audio))
    case .silence, .keyPhraseExpected, .context, .paused: break
    }
    return DecoderOutput()
  }

  // MARK: - Inside

  func check(_ other: AudioFormat) throws {
    guard other == format else {
      throw SpeechRecognitionError.recognitionFailed(
        "The audio has \(other.sampleRate) samples per second, and the decoder needs "
          + "\(format.sampleRate). Resample it first.")
    }
  }

  /// Ends a discarded utterance, so that the library is between utterances.
  func settle() {
    if isBrokenOff { try? handle.end() }
    isBrokenOff = false
  }

  func seconds(_ samples: Int) -> Double { Double(samples) / Double(format.sampleRate) }
}
