import Foundation
import SpeechAudio
import SpeechConcurrency

/// General recognisers that read, one after the other, an utterance that a grammar rejects:
/// dictation first, then a cloud service.
///
/// ```swift
/// let cascade = RecognitionCascade([
///   .init(PocketSphinxDecoder.self, configuration: .init(), locale: locale, atLeast: 0.7),
///   .init(OpenAITranscriptionDecoder.self, configuration: cloud, locale: locale),
/// ])
/// ```
/// Nothing is loaded or sent before a reading is requested.
public struct RecognitionCascade: Sendable {
  /// One recogniser of a cascade.
  ///
  /// ```swift
  /// RecognitionCascade.Step(PocketSphinxDecoder.self, configuration: .init(), locale: locale)
  /// ```
  public struct Step: Sendable {
    /// The confidence from which on the following steps are skipped.
    public var minimumConfidence: Float
    private let read: @Sendable (PCMBuffer, String) async throws -> DecodedUtterance?

    /// Creates a step whose recogniser is loaded for the first utterance and kept for the next
    /// ones.
    ///
    /// - Parameter minimumConfidence: the confidence from which on its reading is accepted.
    public init<Decoder: SpeechDecoder>(
      _ decoder: Decoder.Type, configuration: Decoder.Configuration, locale: Locale,
      atLeast minimumConfidence: Float = 0
    ) {
      let session = RecognitionSession<Decoder>(configuration: configuration, locale: locale)
      let hasContext = OnceFlag()
      self.minimumConfidence = minimumConfidence
      read = { audio, context in
        let format = try await session.prepare()
        // Without words, those of an earlier utterance have to be cleared.
        if !context.isEmpty || hasContext.isUp {
          _ = hasContext.raise()
          try await session.hear(.context(context))
        }
        return try await session.decode(try audio.resampled(to: format))
      }
    }

    fileprivate func reading(
      of audio: PCMBuffer, after context: String
    ) async throws -> DecodedUtterance? {
      guard let reading = try await read(audio, context), !reading.text.isEmpty else { return nil }
      return reading
    }

    fileprivate func accepts(_ reading: DecodedUtterance) -> Bool {
      reading.isAccepted && reading.confidence >= minimumConfidence
    }
  }

  /// The steps in their order.
  public var steps: [Step]

  /// Creates a cascade of these steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// Returns the reading of the first step that is sure enough, or the surest reading if none is;
  /// `nil` if no step recognises words. A step that fails is skipped.
  ///
  /// - Parameter context: the words before the utterance, such as a question.
  /// - Throws: `CancellationError` when the task is cancelled, and the first step's error when
  ///   there is no reading and a step failed.
  public func reading(
    of audio: PCMBuffer, after context: String = ""
  ) async throws -> DecodedUtterance? {
    var surest: DecodedUtterance?
    var failure: (any Error)?
    for step in steps {
      try Task.checkCancellation()
      do {
        guard let reading = try await step.reading(of: audio, after: context) else { continue }
        if step.accepts(reading) { return reading }
        if reading.confidence > surest?.confidence ?? -1 { surest = reading }
      } catch let error as CancellationError {
        throw error
      } catch {
        failure = failure ?? error
      }
    }
    try Task.checkCancellation()
    if let surest { return surest }
    if let failure { throw failure }
    return nil
  }
}
