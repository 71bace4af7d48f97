import Foundation

/// A service that synthesises speech.
///
/// Laws: `speak` returns when the response has begun; pieces are delivered as they arrive, in
/// order; releasing the stream closes the connection.
public protocol SpeechService: AIServiceProvider {
  /// The maximum number of characters per request to the model; `nil` for the default model.
  func characterLimit(model: String?) -> Int

  /// Synthesises speech and streams the audio.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  func speak(_ request: SpeechRequest) async throws -> SpeechReply

  /// Lists the available voices.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  func voices() async throws -> [ServiceVoice]
}

/// A request to synthesise a text.
public struct SpeechRequest: Sendable, Hashable {
  /// The text to speak.
  public var text: String
  /// The identifier of the voice; `nil` for the provider's default.
  public var voice: String?
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// The requested encoding of the audio.
  public var format: ResponseContent.AudioFormat
  /// The speed, 1 being the voice's own; `nil` for the service's default.
  public var speed: Double?
  /// The language as a BCP 47 tag, for services that need it.
  public var language: String?
  /// Instructions about the style, for services that accept them.
  public var instructions: String?
  /// True to request character timings, if the service supports them.
  public var wantsTimings: Bool
  /// The text before this one, for a continuous intonation.
  public var previousText: String?
  /// The text after this one.
  public var nextText: String?
  /// Additional members of the request, as documented by the service.
  public var extra: [String: SendableValue]
  /// Timeouts that replace those of the endpoint.
  public var timeouts: HTTPTimeouts?
  /// The maximum number of retries; `nil` to apply the policy.
  public var retries: Int?

  /// Creates a request to speak a text.
  public init(
    _ text: String, voice: String? = nil, model: String? = nil,
    format: ResponseContent.AudioFormat = .mp3, speed: Double? = nil, language: String? = nil,
    instructions: String? = nil, wantsTimings: Bool = false, previousText: String? = nil,
    nextText: String? = nil, extra: [String: SendableValue] = [:], timeouts: HTTPTimeouts? = nil,
    retries: Int? = nil
  ) {
    self.text = text
    self.voice = voice
    self.model = model
    self.format = format
    self.speed = speed
    self.language = language
    self.instructions = instructions
    self.wantsTimings = wantsTimings
    self.previousText = previousText
    self.nextText = nextText
    self.extra = extra
    self.timeouts = timeouts
    self.retries = retries
  }
}

/// A stream of synthesised speech.
public struct SpeechReply: Sendable {
  /// The encoding of the audio, which may differ from the requested one.
  public let format: ResponseContent.AudioFormat
  /// The sample rate, if the encoding does not state it.
  public let sampleRate: Int?
  /// The pieces of the audio in order.
  public let pieces: AsyncThrowingStream<SpeechFragment, any Error>

  /// Creates a reply with a stream.
  public init(
    format: ResponseContent.AudioFormat, sampleRate: Int?,
    pieces: AsyncThrowingStream<SpeechFragment, any Error>
  ) {
    self.format = format
    self.sampleRate = sampleRate
    self.pieces = pieces
  }

  /// Reads all of the audio.
  public func collected() async throws -> Data {
    var all = Data()
    for try await piece in pieces { all.append(piece.audio) }
    try Task.checkCancellation()
    return all
  }
}

/// A piece of synthesised speech.
public struct SpeechFragment: Sendable, Hashable {
  /// Encoded audio; a piece may end anywhere, even within a sample.
  public var audio: Data
  /// The character timings that became known with this piece.
  public var timings: [CharacterTiming]

  /// Creates a piece of speech.
  public init(audio: Data, timings: [CharacterTiming] = []) {
    self.audio = audio
    self.timings = timings
  }
}

/// The timing of a character, relative to the start of the audio.
public struct CharacterTiming: Sendable, Hashable {
  /// The character, or several that are spoken as one.
  public var character: String
  /// The start in seconds.
  public var start: Double
  /// The end in seconds.
  public var end: Double

  /// Creates a character timing.
  public init(character: String, start: Double, end: Double) {
    self.character = character
    self.start = start
    self.end = end
  }
}

/// A voice of a service.
public struct ServiceVoice: Sendable, Hashable {
  /// The identifier for requests.
  public var id: String
  /// The name shown to the user.
  public var name: String
  /// The languages of the voice, as far as the service lists them.
  public var languages: [String]
  /// The gender of the voice, if the service states it.
  public var gender: String?
  /// The service's description of the voice.
  public var summary: String?

  /// Creates a voice with an identifier and a name.
  public init(
    id: String, name: String, languages: [String] = [], gender: String? = nil,
    summary: String? = nil
  ) {
    self.id = id
    self.name = name
    self.languages = languages
    self.gender = gender
    self.summary = summary
  }
}
