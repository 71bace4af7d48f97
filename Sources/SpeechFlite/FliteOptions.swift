import SpeechCore

/// The wishes of a request, on top of a configuration.
enum FliteOptions {
  static func apply(
    _ options: [String: String], to configuration: FliteConfiguration
  ) throws(SpeechSynthesisProviderError) -> FliteConfiguration {
    var changed = configuration
    if let rate = try number(options, FliteEngine.rateOption) {
      changed.style.rate = rate.clamped(to: 0...1, orElse: 0.5)
    }
    if let pitch = try number(options, FliteEngine.pitchOption) {
      changed.style.pitchMultiplier = pitch.clamped(to: 0.5...2, orElse: 1)
    }
    if let volume = try number(options, FliteEngine.volumeOption) {
      changed.style.volume = volume.clamped(to: 0...1, orElse: 1)
    }
    return changed
  }

  private static func number(
    _ options: [String: String], _ key: String
  ) throws(SpeechSynthesisProviderError) -> Float? {
    guard let value = options[key] else { return nil }
    guard let number = Float(value), number.isFinite else {
      throw .unknown("The option \(key) is “\(value)”; it has to be a number.")
    }
    return number
  }
}
