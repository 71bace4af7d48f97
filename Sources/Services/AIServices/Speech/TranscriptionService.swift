import Foundation

/// A service that transcribes recordings.
///
/// Laws: the request is sent when the stream is first read; `text` is delivered as it is
/// recognised, if the service supports that; `finished` arrives last with the whole transcription.
public protocol TranscriptionService: AIServiceProvider {
  /// Transcribes a recording and streams the text.
  func transcribe(
    _ request: TranscriptionRequest
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error>
}

extension TranscriptionService {
  /// Transcribes a recording and returns the whole text.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func transcription(of request: TranscriptionRequest) async throws -> TranscriptionReply {
    for try await event in transcribe(request) {
      if case .finished(let reply) = event { return reply }
    }
    try Task.checkCancellation()
    throw AIServiceError.networkError("The transcription ended before it was complete. Try again.")
  }
}

/// A request to transcribe a recording.
public struct TranscriptionRequest: Sendable, Hashable {
  /// The encoded audio of the recording.
  public var audio: Data
  /// A file name whose extension states the encoding.
  public var fileName: String
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// The language as an ISO 639-1 code, if known.
  public var language: String?
  /// Expected words, or the preceding text.
  public var prompt: String?
  /// The sampling temperature of the model.
  public var temperature: Double?
  /// True to request word timings, if the model supports them.
  public var wantsWords: Bool
  /// True to receive partial results, if the model supports them.
  public var streams: Bool

  /// Creates a request for a recording.
  public init(
    audio: Data, fileName: String = "speech.wav", model: String? = nil, language: String? = nil,
    prompt: String? = nil, temperature: Double? = nil, wantsWords: Bool = false,
    streams: Bool = false
  ) {
    self.audio = audio
    self.fileName = fileName
    self.model = model
    self.language = language
    self.prompt = prompt
    self.temperature = temperature
    self.wantsWords = wantsWords
    self.streams = streams
  }
}

/// An event of a transcription.
public enum TranscriptionEvent: Sendable, Hashable {
  /// The next piece of the text.
  case text(String)
  /// The complete transcription.
  case finished(TranscriptionReply)
}

/// A complete transcription of a recording.
public struct TranscriptionReply: Sendable, Hashable {
  /// The text of the transcription.
  public var text: String
  /// The language in the service's notation.
  public var language: String?
  /// The words with their timings, if the service provides them.
  public var words: [TranscribedWord]
  /// The usage of the request.
  public var usage: ServiceUsage

  /// Creates a complete transcription.
  public init(
    text: String, language: String? = nil, words: [TranscribedWord] = [],
    usage: ServiceUsage = ServiceUsage()
  ) {
    self.text = text
    self.language = language
    self.words = words
    self.usage = usage
  }
}

/// A word with its position in the recording, in seconds.
public struct TranscribedWord: Sendable, Hashable {
  /// The word as transcribed.
  public var text: String
  /// The start in seconds.
  public var start: Double
  /// The end in seconds.
  public var end: Double

  /// Creates a word with its timing.
  public init(text: String, start: Double, end: Double) {
    self.text = text
    self.start = start
    self.end = end
  }
}
