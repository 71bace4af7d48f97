import SpeechCore

/// The options of a request, applied to a configuration.
enum FliteOptions {
  static func apply(
    _ options: [String: String], to configuration: FliteConfiguration
  ) throws(SpeechSynthesisProviderError) -> FliteConfiguration {
    var changed = configuration
    if let rate = try options.number(option: FliteEngine.rateOption) {
      changed.style.rate = rate.clamped(to: 0...1, orElse: 0.5)
    }
    if let pitch = try options.number(option: FliteEngine.pitchOption) {
      changed.style.pitchMultiplier = pitch.clamped(to: 0.5...2, orElse: 1)
    }
    if let volume = try options.number(option: FliteEngine.volumeOption) {
      changed.style.volume = volume.clamped(to: 0...1, orElse: 1)
    }
    return changed
  }
}
