import Foundation

/// A service that speaks.
///
/// Laws: `speak` returns when the service has begun to answer; pieces come as they arrive, in order, and
/// who stops reading closes the connection.
public protocol SpeechService: AIServiceProvider {
  /// The most characters of one request to that model; `nil` for the default.
  func characterLimit(model: String?) -> Int

  /// Speaks.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  func speak(_ request: SpeechRequest) async throws -> SpeechReply

  /// The voices that may be asked for.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  func voices() async throws -> [ServiceVoice]
}

/// Text to speak.
public struct SpeechRequest: Sendable, Hashable {
  /// The text.
  public var text: String
  /// The voice's id; `nil` for the provider's default.
  public var voice: String?
  /// The model; `nil` for the provider's default.
  public var model: String?
  /// How the sound shall be encoded.
  public var format: ResponseContent.AudioFormat
  /// The pace, 1 being the voice's own; `nil` leaves it to the service.
  public var speed: Double?
  /// The language as a BCP 47 tag, for services that want to be told.
  public var language: String?
  /// How to speak, for services that take words about it.
  public var instructions: String?
  /// Whether the times of the characters are wanted, where the service knows them.
  public var wantsTimings: Bool
  /// What is spoken before and after, for a voice that goes on in one breath.
  public var previousText: String?
  /// What is spoken behind this.
  public var nextText: String?
  /// Further members of the request, as the service documents them.
  public var extra: [String: SendableValue]
  /// Other time-outs than the endpoint's.
  public var timeouts: HTTPTimeouts?
  /// How often the request is sent again at most; `nil` for what the policy says.
  public var retries: Int?

  /// A request.
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

/// Speech that is being made.
public struct SpeechReply: Sendable {
  /// How the sound is encoded, which need not be what was asked for.
  public let format: ResponseContent.AudioFormat
  /// The samples in a second, where the encoding does not tell.
  public let sampleRate: Int?
  /// The sound, piece by piece.
  public let pieces: AsyncThrowingStream<SpeechFragment, any Error>

  /// A reply.
  public init(
    format: ResponseContent.AudioFormat, sampleRate: Int?,
    pieces: AsyncThrowingStream<SpeechFragment, any Error>
  ) {
    self.format = format
    self.sampleRate = sampleRate
    self.pieces = pieces
  }

  /// All of the sound.
  public func collected() async throws -> Data {
    var all = Data()
    for try await piece in pieces { all.append(piece.audio) }
    try Task.checkCancellation()
    return all
  }
}

/// The next piece of speech.
public struct SpeechFragment: Sendable, Hashable {
  /// Encoded sound; a piece may end anywhere, also within a sample.
  public var audio: Data
  /// Characters whose times became known with this piece.
  public var timings: [CharacterTiming]

  /// A piece.
  public init(audio: Data, timings: [CharacterTiming] = []) {
    self.audio = audio
    self.timings = timings
  }
}

/// When a character of the text is heard, from the start of the sound.
public struct CharacterTiming: Sendable, Hashable {
  /// The character, or several that are heard as one.
  public var character: String
  /// Its start in seconds.
  public var start: Double
  /// Its end in seconds.
  public var end: Double

  /// A timing.
  public init(character: String, start: Double, end: Double) {
    self.character = character
    self.start = start
    self.end = end
  }
}

/// A voice of a service.
public struct ServiceVoice: Sendable, Hashable {
  /// What to ask for.
  public var id: String
  /// What to show.
  public var name: String
  /// The languages it speaks, as far as the service tells.
  public var languages: [String]
  /// The gender, as far as the service tells.
  public var gender: String?
  /// What the service says about it.
  public var summary: String?

  /// A voice.
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
