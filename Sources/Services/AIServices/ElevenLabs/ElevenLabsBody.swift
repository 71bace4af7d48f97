/// The body of a speech request.
struct ElevenLabsBody: Encodable, Sendable {
  struct Settings: Encodable {
    var stability: Double?
    var similarityBoost: Double?
    var style: Double?
    var usesSpeakerBoost: Bool?
    var speed: Double?

    enum CodingKeys: String, CodingKey {
      case stability, style, speed
      case similarityBoost = "similarity_boost"
      case usesSpeakerBoost = "use_speaker_boost"
    }
  }

  var text: String
  var modelID: String
  var languageCode: String?
  var voiceSettings: Settings
  var previousText: String?
  var nextText: String?

  enum CodingKeys: String, CodingKey {
    case text
    case modelID = "model_id"
    case languageCode = "language_code"
    case voiceSettings = "voice_settings"
    case previousText = "previous_text"
    case nextText = "next_text"
  }

  init(_ request: SpeechRequest, configuration: ElevenLabsConfiguration) {
    text = request.text
    modelID = request.model ?? configuration.model
    // The service expects the language without a region.
    languageCode = request.language?.split(separator: "-").first.map { $0.lowercased() }
    voiceSettings = Settings(
      stability: configuration.stability, similarityBoost: configuration.similarityBoost,
      style: configuration.style, usesSpeakerBoost: configuration.usesSpeakerBoost,
      speed: request.speed)
    previousText = request.previousText
    nextText = request.nextText
  }
}
