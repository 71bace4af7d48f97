import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// Free speech with Whisper models, offline, through whisper.cpp's library.
///
/// ```swift
/// let configuration = WhisperConfiguration(model: "tiny.en")
/// let transcriber = SpeechTranscriber<WhisperDecoder>(configuration: configuration)
/// let transcript = try await transcriber.transcribe(recording)
/// ```
/// An utterance is decoded when it has ended, and while it is in progress for partial results. When
/// the speaker pauses, the decoding of the whole utterance begins, so that its text is known when
/// the pause turns out to be the end. The library and the models are found as `speechkit doctor`
/// lists them.
public final class WhisperDecoder: SpeechDecoder {
  /// The identifier of the recogniser.
  public static let identifier = "com.speechkit.whisper"

  /// True if a supported library and a model are installed.
  public static var isAvailable: Bool {
    do throws(SpeechRecognitionError) {
      _ = try WhisperLibrary.load()
      _ = try WhisperModelName("").find(for: nil)
      return true
    } catch {
      return false
    }
  }

  /// 16 kHz, the rate of the models.
  public let format = AudioFormat.recognition

  private let session: WhisperSession
  private let configuration: WhisperConfiguration
  private var utterance = PCMBuffer(format: .recognition)
  private var isPaused = false
  /// The words before the utterance.
  private var context: String
  /// The decoding in progress: of a draft, or of all audio until a pause.
  private(set) var running: WhisperDecoding?
  /// The length of the utterance at the start of the last draft.
  private var draftLength = 0
  private var agreement = WordAgreement()
  /// The stable words whose audio is not decoded any more.
  private var settled = WhisperReading()
  /// The number of frames of that audio, which `utterance` does not contain.
  private(set) var settledFrames = 0

  /// The length of an utterance in seconds from which on its beginning is settled, and the length
  /// that is settled at least.
  private static let (longTail, settledAtLeast) = (6.0, 3.0)
  /// The number of frames after which there is another draft. Its text follows a little later, and
  /// is to be there twice a second.
  private static let draftInterval = AudioFormat.recognition.frames(in: .milliseconds(400))

  /// Creates a decoder for a language.
  ///
  /// - Throws: `SpeechRecognitionError` if there is no supported library or no model for the
  ///   language.
  public init(configuration: WhisperConfiguration, locale: Locale) throws {
    let language = locale.language.languageCode?.identifier
    let places = WhisperPlaces.current(library: configuration.library)
    let library = try WhisperLibrary.load(places)
    let file = try WhisperModelName(configuration.model).find(for: language, in: places)
    let model = try WhisperModel.load(file, library: library)
    let speech = try WhisperLanguage(
      of: model, locale: locale, detects: configuration.detectsLanguage,
      translates: configuration.translates)
    self.configuration = configuration
    context = configuration.context
    session = try WhisperSession(model, configuration: configuration, language: speech.code)
  }

  /// Collects the audio of an utterance, decodes drafts of it, and decodes all of it when it ends.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start, .discard:
      reset()
    case .audio(let audio):
      utterance.append(audio)
      return try await draft()
    case .paused(let isPaused):
      self.isPaused = isPaused
      if isPaused { start(isDraft: false) }
    case .finish:
      let tail = agreement.completed(by: try await finalReading())
      var reading = settled
      reading.append(tail, at: seconds(settledFrames))
      reset()
      return DecoderOutput(utterance: reading.decoded)
    case .context(let text):
      context = text
    case .utterance(let audio):
      reset()
      let decoding = WhisperDecoding(
        of: audio, after: context, isDraft: false, threads: configuration.threads ?? 1,
        in: session)
      return DecoderOutput(utterance: try await decoding.value().decoded)
    case .silence, .keyPhraseExpected:
      break
    }
    return DecoderOutput()
  }

  deinit { running?.stop() }

  private func reset() {
    running?.stop()
    running = nil
    utterance.samples = []
    isPaused = false
    draftLength = 0
    agreement = WordAgreement()
    settled = WhisperReading()
    settledFrames = 0
  }

  private func seconds(_ frames: Int) -> Double { Double(frames) / Double(format.sampleRate) }

  /// The reading that was begun in the pause before the end, or else a new one.
  private nonisolated(nonsending) func finalReading() async throws -> WhisperReading {
    guard !utterance.isEmpty else { return WhisperReading() }
    if !isPaused || running?.isDraft != false { start(isDraft: false) }
    return try await running?.value() ?? WhisperReading()
  }

  /// Starts a draft when enough audio has been added, unless a decoding is in progress.
  ///
  /// - Returns: the text so far, if it has changed.
  private nonisolated(nonsending) func draft() async throws -> DecoderOutput {
    guard configuration.reportsPartials, configuration.grammar == nil, !isPaused else {
      return DecoderOutput()
    }
    var output = DecoderOutput()
    if let running, running.isDone {
      self.running = nil
      let before = agreement
      agreement.add(try await running.value())
      if agreement.text != before.text || agreement.stableText != before.stableText {
        output = DecoderOutput(
          partialText: settled.text(followedBy: agreement.text),
          stableText: settled.text(followedBy: agreement.stableText))
      }
      settleBeginning()
    }
    if running == nil, utterance.frameCount - draftLength >= Self.draftInterval {
      start(isDraft: true)
    }
    return output
  }

  /// Takes the audio before the last pause between stable words out of a long utterance, so that
  /// decoding the rest takes a time that does not grow with the utterance.
  private func settleBeginning() {
    guard seconds(utterance.frameCount) >= Self.longTail,
      let pause = agreement.pause(after: Self.settledAtLeast)
    else { return }
    let rate = Double(format.sampleRate)
    // The ends of words are only known to a tenth of a second.
    let first = Int((pause.time.lowerBound - 0.1) * rate)
    let last = min(Int((pause.time.upperBound + 0.1) * rate), utterance.frameCount)
    let cut = utterance.quietestFrame(in: first..<last)
    let words = agreement.drop(pause.words, before: seconds(cut))
    settled.append(WhisperReading(words), at: seconds(settledFrames))
    settledFrames += cut
    draftLength -= cut
    utterance = utterance.slice(cut..<utterance.frameCount)
  }

  private func start(isDraft: Bool) {
    running?.stop()
    draftLength = utterance.frameCount
    let cores = min(4, ProcessInfo.processInfo.activeProcessorCount)
    running = WhisperDecoding(
      of: utterance, after: settled.isEmpty ? context : settled.text, isDraft: isDraft,
      threads: configuration.threads ?? cores, in: session)
  }
}

extension WhisperReading {
  fileprivate func text(followedBy next: String) -> String {
    [text, next].filter { !$0.isEmpty }.joined(separator: " ")
  }

  fileprivate var decoded: DecodedUtterance? {
    isEmpty
      ? nil
      : DecodedUtterance(
        text: text, confidence: confidence, words: words, isAccepted: isAccepted)
  }
}
