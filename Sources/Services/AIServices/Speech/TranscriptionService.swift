import Foundation

/// A service that writes down what is said.
///
/// Laws: the stream asks the service when it is first read; `text` comes as the service understands, for
/// those that tell in between; `finished` comes last with all of it.
public protocol TranscriptionService: AIServiceProvider {
  /// Writes down a recording.
  func transcribe(
    _ request: TranscriptionRequest
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error>
}

extension TranscriptionService {
  /// The whole transcription at once.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func transcription(of request: TranscriptionRequest) async throws -> TranscriptionReply {
    for try await event in transcribe(request) {
      if case .finished(let reply) = event { return reply }
    }
    try Task.checkCancellation()
    throw AIServiceError.networkError("The transcription broke off. Try again.")
  }
}

/// A recording to write down.
public struct TranscriptionRequest: Sendable, Hashable {
  /// The recording, encoded.
  public var audio: Data
  /// A name whose extension tells how it is encoded.
  public var fileName: String
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// The language as ISO 639-1 code, if it is known.
  public var language: String?
  /// Words that may occur, or what was said before.
  public var prompt: String?
  /// How freely words are chosen.
  public var temperature: Double?
  /// Whether the times of the words are wanted, where the model knows them.
  public var wantsWords: Bool
  /// Whether to tell in between, where the model can.
  public var streams: Bool

  /// A request.
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

/// A step of a transcription.
public enum TranscriptionEvent: Sendable, Hashable {
  /// The next piece of the text.
  case text(String)
  /// All of it.
  case finished(TranscriptionReply)
}

/// What was said.
public struct TranscriptionReply: Sendable, Hashable {
  /// The text.
  public var text: String
  /// The language as the service names it.
  public var language: String?
  /// The words with their times, if the service knows them.
  public var words: [TranscribedWord]
  /// What it took.
  public var usage: ServiceUsage

  /// A reply.
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

/// A word with its place in the recording, in seconds.
public struct TranscribedWord: Sendable, Hashable {
  /// The word.
  public var text: String
  /// Its start.
  public var start: Double
  /// Its end.
  public var end: Double

  /// A word.
  public init(text: String, start: Double, end: Double) {
    self.text = text
    self.start = start
    self.end = end
  }
}
