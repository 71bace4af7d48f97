import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// An utterance as requested from a service: the combined request and configuration.
struct CloudVoiceOrder: Sendable {
  let language: String?
  /// The configuration with the options of the request.
  let configuration: CloudVoiceConfiguration
  let speed: Double?
  /// The parts for playback, one for each request.
  let parts: [TextPart]
  /// The whole text, if the service accepts it in one request.
  let whole: TextPart?
  let wantsTimings: Bool
  /// The settings that affect the audio, besides the text.
  private let settings: [String]

  /// The maximum length of a part if the service reports no times. Positions in the text are then
  /// known only at the start of each part, where another voice can take over after a failure.
  private static let partWithoutTimings = 400

  init(
    _ request: VoiceEngineRequest, _ configuration: CloudVoiceConfiguration, voice: some CloudVoice
  ) throws {
    let options = request.options
    guard request.text.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw SpeechSynthesisProviderError.invalidText
    }
    var changed = configuration
    changed.style.rate = try Self.share(options, "rate") ?? changed.style.rate
    changed.style.volume = try Self.share(options, "volume") ?? changed.style.volume
    if !request.voiceId.isEmpty { changed.voice = request.voiceId }
    changed.model = options["model"] ?? changed.model
    changed.instructions = options["instructions"] ?? changed.instructions
    self.configuration = changed
    language = request.languageCode.isEmpty ? nil : request.languageCode
    speed = voice.speed(forRate: changed.style.rate)
    wantsTimings = voice.knowsTimings
    let limit = voice.service.characterLimit(model: changed.model)
    let wholes = TextPart.parts(of: request.text, limit: limit)
    whole = wholes.count == 1 ? wholes.first : nil
    parts = TextPart.parts(
      of: request.text, limit: wantsTimings ? limit : min(limit, Self.partWithoutTimings))
    settings = voice.soundSettings
  }

  var style: SpeakingStyle { configuration.style }

  /// True if the service's audio needs no further processing.
  var canBeSavedAsItIs: Bool {
    style.volume == 1 && style.preUtteranceDelay == 0 && style.postUtteranceDelay == 0
  }

  func request(for part: TextPart, format: ResponseContent.AudioFormat) -> SpeechRequest {
    let index = parts.firstIndex(of: part)
    let before = index.flatMap { $0 > 0 ? parts[$0 - 1].text : nil }
    let after = index.flatMap { $0 + 1 < parts.count ? parts[$0 + 1].text : nil }
    return SpeechRequest(
      part.text, voice: configuration.voice, model: configuration.model, format: format,
      speed: speed, language: language, instructions: configuration.instructions,
      wantsTimings: wantsTimings && format == .pcm,
      previousText: wantsTimings ? before : nil, nextText: wantsTimings ? after : nil,
      timeouts: configuration.timeouts, retries: configuration.retries)
  }

  /// The cache key of a part: equal for equal audio only.
  func cacheKey(for part: TextPart) -> SynthesisCache.Key {
    let request = request(for: part, format: .pcm)
    return SynthesisCache.Key(
      settings + [
        request.voice ?? "", request.model ?? "", request.language ?? "",
        request.instructions ?? "", request.speed.map { "\($0)" } ?? "",
        "\(request.wantsTimings)", request.previousText ?? "", request.nextText ?? "", request.text,
      ])
  }

  private static func share(
    _ options: [String: String], _ name: String
  ) throws(SpeechSynthesisProviderError) -> Float? {
    guard let text = options[name] else { return nil }
    guard let number = Float(text), (0...1).contains(number) else {
      throw .unknown("The option \(name) is “\(text)”; it has to be a number from 0 to 1.")
    }
    return number
  }
}
