import CFlite
import SpeechCore

/// The voices that come with Flite.
enum FliteVoice: String, CaseIterable, Sendable {
  case slt
  case rms
  case awb
  case kal

  /// What the boundary calls it.
  var voice: Voice {
    let facts: (name: String, gender: Voice.Gender, language: String) =
      switch self {
      case .slt: ("SLT (American, clear)", .female, "en-US")
      case .rms: ("RMS (American, clear)", .male, "en-US")
      case .awb: ("AWB (Scottish)", .male, "en-GB")
      case .kal: ("KAL (American, fast and plain)", .male, "en-US")
      }
    return Voice(id: rawValue, name: facts.name, languages: [facts.language], gender: facts.gender)
  }

  /// The voice with that id, however it is written: `slt`, `SLT`, `cmu_us_slt`, `kal16`.
  init?(id: String) {
    var name = id.lowercased()
    if name.hasPrefix("cmu_us_") { name.removeFirst(7) }
    if name == "kal16" { name = "kal" }
    self.init(rawValue: name)
  }

  /// The library's voice. For the library's own queue only.
  func register() -> UnsafeMutablePointer<cst_voice>? {
    switch self {
    case .slt: register_cmu_us_slt(nil)
    case .rms: register_cmu_us_rms(nil)
    case .awb: register_cmu_us_awb(nil)
    case .kal: register_cmu_us_kal16(nil)
    }
  }

  /// The voice that a request asks for: by name, by the configuration's name, else the first one. Any
  /// language but English is an error.
  static func selected(
    for request: VoiceEngineRequest, _ configuration: FliteConfiguration
  ) throws(SpeechSynthesisProviderError) -> FliteVoice {
    for name in [request.voiceId, configuration.voice ?? ""] where !name.isEmpty {
      guard let voice = FliteVoice(id: name) else { throw .voiceNotAvailable(name) }
      return voice
    }
    guard speaks(request.languageCode) else { throw .voiceNotAvailable(request.languageCode) }
    return .slt
  }

  /// Whether that is English, or nothing in particular.
  static func speaks(_ languageCode: String) -> Bool {
    let primary = languageCode.lowercased().split { $0 == "-" || $0 == "_" }.first
    return primary == nil || primary == "en"
  }
}
