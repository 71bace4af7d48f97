import Foundation
import SpeechAudio

/// General recognisers that are asked, one after the other, what was said when a grammar rejects it:
/// dictation first, then a cloud service.
///
/// ```swift
/// let cascade = RecognitionCascade([
///   .init(PocketSphinxDecoder.self, configuration: .init(), locale: locale, atLeast: 0.7),
///   .init(TranscriptionDecoder.self, configuration: cloud, locale: locale),
/// ])
/// ```
/// Nothing is loaded or sent before somebody asks.
public struct RecognitionCascade: Sendable {
  /// One of them.
  ///
  /// ```swift
  /// RecognitionCascade.Step(PocketSphinxDecoder.self, configuration: .init(), locale: locale)
  /// ```
  public struct Step: Sendable {
    /// From which confidence on the others behind it are not asked any more.
    public var minimumConfidence: Float
    private let read: @Sendable (PCMBuffer) async throws -> DecodedUtterance?

    /// A recogniser that is loaded with the first utterance and kept for the next ones.
    ///
    /// - Parameter minimumConfidence: from which confidence on it is believed.
    public init<Decoder: SpeechDecoder>(
      _ decoder: Decoder.Type, configuration: Decoder.Configuration, locale: Locale,
      atLeast minimumConfidence: Float = 0
    ) {
      let session = RecognitionSession<Decoder>(configuration: configuration, locale: locale)
      self.minimumConfidence = minimumConfidence
      read = { audio in
        let format = try await session.prepare()
        return try await session.decode(try audio.resampled(to: format))
      }
    }

    fileprivate func reading(of audio: PCMBuffer) async throws -> DecodedUtterance? {
      guard let reading = try await read(audio), !reading.text.isEmpty else { return nil }
      return reading
    }

    fileprivate func believes(_ reading: DecodedUtterance) -> Bool {
      reading.isAccepted && reading.confidence >= minimumConfidence
    }
  }

  /// In the order in which they are asked.
  public var steps: [Step]

  /// A cascade of these steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// What the first one that is sure enough makes of the sound; if none is, the surest reading; `nil` if
  /// nobody hears words. One that fails is passed over.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and when there is no reading, what the
  ///   first that failed says.
  public func reading(of audio: PCMBuffer) async throws -> DecodedUtterance? {
    var surest: DecodedUtterance?
    var failure: (any Error)?
    for step in steps {
      try Task.checkCancellation()
      do {
        guard let reading = try await step.reading(of: audio) else { continue }
        if step.believes(reading) { return reading }
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
