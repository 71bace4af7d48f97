import ConformanceTesting
import SpeechConcurrency
import SpeechLab

/// The laws that every decoder keeps.
public enum DecoderLaw: String, Sendable, CaseIterable {
  /// Speech gives the words that were spoken.
  case hears
  /// Silence gives `nil` instead of an empty text.
  case hearsNothingInSilence
  /// Words have times within the audio, in order, and confidences from 0 to 1.
  case placesItsWords
  /// Speech in pieces of any size is recognised as well as in one piece.
  case hearsInPieces
  /// The same audio always gives the same words.
  case isSteady
  /// Discarded audio has no effect on later results.
  case forgetsWhatIsDiscarded
  /// No order of inputs crashes the decoder, and it works afterwards.
  case survivesAnyOrder
  /// Empty buffers, single samples, noise and full scale are recognised or refused, and the decoder
  /// works afterwards.
  case survivesStrangeSound
  /// A missing or broken configuration gives a `SpeechRecognitionError` when the decoder is
  /// created.
  case reportsWhatIsBroken
  /// Several decoders at once do not affect each other.
  case keepsDecodersApart
  /// Released decoders leave no descriptors and no threads.
  case leavesNothingBehind
}

/// Tests whether a decoder keeps the laws of `SpeechDecoder`.
///
/// ```swift
/// try await DecoderConformance<PocketSphinxDecoder>(
///   configuration: configuration, speech: audio, words: "turn on the light").run()
/// ```
public struct DecoderConformance<Decoder: SpeechDecoder>: ConformanceSuite {
  private let configuration: Decoder.Configuration
  private let broken: Decoder.Configuration?
  private let locale: Locale
  private let speech: PCMBuffer
  private let words: String
  private let wordErrorRate: Double

  /// Creates a suite for a decoder.
  ///
  /// - Parameters:
  ///   - broken: A configuration with something missing. Without one, that law is not tested.
  ///   - speech: A recording of the words in the decoder's format.
  ///   - wordErrorRate: The highest accepted word error rate.
  public init(
    configuration: Decoder.Configuration, broken: Decoder.Configuration? = nil,
    locale: Locale = Locale(identifier: "en-US"), speech: PCMBuffer, words: String,
    wordErrorRate: Double = 0
  ) {
    self.configuration = configuration
    self.broken = broken
    self.locale = locale
    self.speech = speech
    self.words = words
    self.wordErrorRate = wordErrorRate
  }

  /// Returns the reason why the decoder breaks a law; `nil` if it keeps it.
  public func objection(to law: DecoderLaw) async throws -> String? {
    let session = RecognitionSession<Decoder>(configuration: configuration, locale: locale)
    return try await objection(to: law) {
      switch law {
      case .hears: try await hears(session)
      case .hearsNothingInSilence: try await hearsNothingInSilence(session)
      case .placesItsWords: try await placesItsWords(session)
      case .hearsInPieces: try await hearsInPieces(session)
      case .isSteady: try await isSteady(session)
      case .forgetsWhatIsDiscarded: try await forgetsWhatIsDiscarded(session)
      case .survivesAnyOrder: try await survivesAnyOrder(session)
      case .survivesStrangeSound: try await survivesStrangeSound(session)
      case .reportsWhatIsBroken: try await reportsWhatIsBroken()
      case .keepsDecodersApart: try await keepsDecodersApart()
      case .leavesNothingBehind: try await leavesNothingBehind()
      }
    }
  }

  private typealias Session = RecognitionSession<Decoder>

  // MARK: - The laws

  private func hears(_ session: Session) async throws {
    let format = try await session.prepare()
    try require(
      format == speech.format,
      "it wants \(format.sampleRate) Hz, and the suite was given \(speech.format.sampleRate) Hz")
    try check(try await session.decode(speech), "the speech")
  }

  private func hearsNothingInSilence(_ session: Session) async throws {
    try await checkSilence(session, .milliseconds(300), "300 ms of silence")
    try await checkSilence(session, .seconds(2), "2 s of silence")
    try check(try await session.decode(speech), "the speech after silence")
    try await checkSilence(session, .seconds(1), "silence after speech")
  }

  private func placesItsWords(_ session: Session) async throws {
    guard let heard = try await session.decode(speech) else {
      throw ConformanceObjection("nothing was heard")
    }
    try require((0...1).contains(heard.confidence), "the confidence is \(heard.confidence)")
    var last = 0.0
    for word in heard.words {
      try require(
        word.start >= last - 0.001 && word.end >= word.start,
        "“\(word.text)” is from \(word.start) to \(word.end), before \(last)")
      try require(
        word.end <= speech.duration / .seconds(1) + 0.1,
        "“\(word.text)” ends at \(word.end), after the end of the audio")
      try require((0...1).contains(word.confidence), "“\(word.text)”: \(word.confidence)")
      last = word.start
    }
  }

  private func hearsInPieces(_ session: Session) async throws {
    for size in [320, 1_000, 7_777] {
      try await session.hear(.start)
      for start in stride(from: 0, to: speech.frameCount, by: size) {
        let output = try await session.hear(
          .audio(speech.slice(start..<min(start + size, speech.frameCount))))
        if output.isComplete { break }
      }
      try check(try await session.hear(.finish).utterance, "the speech in pieces of \(size)")
    }
  }

  private func isSteady(_ session: Session) async throws {
    let first = try await session.decode(speech)
    for _ in 0..<3 {
      let again = try await session.decode(speech)
      try require(
        again?.text == first?.text, "“\(first?.text ?? "")”, and then “\(again?.text ?? "")”")
    }
  }

  private func forgetsWhatIsDiscarded(_ session: Session) async throws {
    try await session.hear(.start)
    try await session.hear(.audio(speech))
    try await session.hear(.discard)
    try await checkSilence(session, .seconds(1), "silence after discarded audio")
    try check(try await session.decode(speech), "the speech after discarded audio")
  }

  private func survivesAnyOrder(_ session: Session) async throws {
    var random = SeededNumbers(seed: 1, part: "order")
    let piece = speech.slice(0..<min(3_200, speech.frameCount))
    for _ in 0..<60 {
      // Errors are the correct answer to a wrong order.
      switch random.next(7) {
      case 0: _ = try? await session.hear(.start)
      case 1: _ = try? await session.hear(.audio(piece))
      case 2: _ = try? await session.hear(.finish)
      case 3: _ = try? await session.hear(.discard)
      case 4: _ = try? await session.hear(.silence(.seconds(1)))
      case 5: _ = try? await session.hear(.paused(random.next(2) == 0))
      default: _ = try? await session.decode(piece)
      }
    }
    try await session.hear(.discard)
    try check(try await session.decode(speech), "the speech after calls in any order")
  }

  private func survivesStrangeSound(_ session: Session) async throws {
    var random = SeededNumbers(seed: 1, part: "strange")
    let noise = (0..<16_000).map { _ in Int16(truncatingIfNeeded: Int(random.next() >> 40)) }
    let square = (0..<16_000).map { $0 % 100 < 50 ? Int16.max : .min }
    for samples in [[], [0], [.max], [.min, .max], noise, square] {
      _ = try? await session.decode(PCMBuffer(samples: samples, format: speech.format))
    }
    try await session.hear(.start)
    _ = try? await session.hear(.audio(PCMBuffer(format: speech.format)))
    _ = try? await session.hear(.finish)
    try check(try await session.decode(speech), "the speech after strange audio")
  }

  private func reportsWhatIsBroken() async throws {
    guard let broken else { return }
    let session = Session(configuration: broken, locale: locale)
    do {
      try await session.prepare()
      _ = try await session.decode(speech)
    } catch is SpeechRecognitionError {
      return
    } catch {
      throw ConformanceObjection(
        "a broken configuration is reported as \(type(of: error)): \(error)")
    }
    throw ConformanceObjection("a broken configuration is not noticed")
  }

  private func keepsDecodersApart() async throws {
    try await withThrowingTaskGroup(of: DecodedUtterance?.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await Session(configuration: configuration, locale: locale).decode(speech)
        }
      }
      for try await heard in group { try check(heard, "the speech beside others") }
    }
  }

  private func leavesNothingBehind() async throws {
    try await requireNothingLeft(afterTimes: 4) {
      _ = try await Session(configuration: configuration, locale: locale).decode(speech)
    }
  }

  // MARK: - Tools

  private func checkSilence(
    _ session: Session, _ duration: Duration, _ what: String
  ) async throws {
    let heard = try await session.decode(.silence(duration, format: speech.format))
    try require(
      heard == nil || heard?.isAccepted == false, "\(what) is heard as “\(heard?.text ?? "")”")
  }

  private func check(_ heard: DecodedUtterance?, _ what: String) throws {
    guard let heard else { throw ConformanceObjection("\(what) is not heard at all") }
    let comparison = WordComparison(
      said: words, heard: heard.text, overlooking: [.letterCase, .marks])
    try require(
      heard.isAccepted && comparison.errorRate <= wordErrorRate + 1e-9,
      "\(what) is heard \(heard.isAccepted ? "so" : "and not accepted"):\n\(comparison.picture)")
  }
}
