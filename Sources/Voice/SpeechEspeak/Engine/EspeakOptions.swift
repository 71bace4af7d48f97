import SpeechCore

/// The options of a request, applied to a configuration.
enum EspeakOptions {
  static func apply(
    _ options: [String: String], to configuration: EspeakConfiguration
  ) throws(SpeechSynthesisProviderError) -> EspeakConfiguration {
    var changed = configuration
    if let value = options[EspeakEngine.ssmlOption] {
      switch value.lowercased() {
      case "true", "yes", "1": changed.interpretsSSML = true
      case "false", "no", "0": changed.interpretsSSML = false
      default: throw .unknown("The option ssml is “\(value)”; it must be true or false.")
      }
    }
    if let rate = try options.number(option: EspeakEngine.rateOption) {
      changed.style.rate = rate.clamped(to: 0...1, orElse: 0.5)
    }
    if let pitch = try options.number(option: EspeakEngine.pitchOption) {
      changed.style.pitchMultiplier = pitch.clamped(to: 0.5...2, orElse: 1)
    }
    if let volume = try options.number(option: EspeakEngine.volumeOption) {
      changed.style.volume = volume.clamped(to: 0...1, orElse: 1)
    }
    return changed
  }
}

extension EspeakVoices {
  /// Selects the voice for a request: the request's voice, else the configuration's, else its
  /// language's, else English.
  func selection(
    for request: VoiceEngineRequest, _ configuration: EspeakConfiguration
  ) throws(SpeechSynthesisProviderError) -> Selection {
    let wishes = [request.voiceId, configuration.voice ?? "", request.languageCode, "en"]
    let wish = wishes.first { !$0.isEmpty } ?? "en"
    guard let selection = selection(for: wish) else { throw EspeakVoices.notAvailable(wish) }
    return selection
  }
}
