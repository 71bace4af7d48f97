import CFlite
import Foundation
import SpeechCore

/// The voices that are part of Flite.
enum FliteVoice: String, CaseIterable, Sendable {
  case slt
  case rms
  case awb
  case kal

  /// The voice as a value for callers.
  var voice: Voice {
    let facts: (name: String, gender: Voice.Gender, language: String) =
      switch self {
      case .slt: ("SLT (American, clear)", .female, "en-US")
      case .rms: ("RMS (American, clear)", .male, "en-US")
      case .awb: ("AWB (Scottish)", .male, "en-GB")
      case .kal: ("KAL (American, fast and plain)", .male, "en-US")
      }
    return Voice(
      id: rawValue, name: facts.name, languages: [facts.language], gender: facts.gender,
      quality: self == .kal ? "default" : "enhanced")
  }

  /// Finds a voice by id in any of its spellings: `slt`, `SLT`, `cmu_us_slt`, `kal16`.
  init?(id: String) {
    var name = id.lowercased()
    if name.hasPrefix("cmu_us_") { name.removeFirst(7) }
    if name == "kal16" { name = "kal" }
    self.init(rawValue: name)
  }

  /// The name of its library.
  private var libraryName: String {
    self == .kal ? "cmu_us_kal16" : "cmu_us_\(rawValue)"
  }

  /// Loads the library's voice; `nil` if it is not installed. Only for the library's own queue.
  func register() -> UnsafeMutablePointer<cst_voice>? {
    // Loaded with the first words and not with the program, because a voice takes half a megabyte
    // of every process, even of one that only listens. Never unloaded, because the voice is one of
    // its variables.
    guard let library = dlopen("libflite_\(libraryName).so.1", RTLD_NOW | RTLD_LOCAL),
      let address = dlsym(library, "register_\(libraryName)")
    else { return nil }
    typealias Register =
      @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutablePointer<cst_voice>?
    return unsafeBitCast(address, to: Register.self)(nil)
  }

  /// Selects the voice for a request: by name, by the configuration's name, else the first one. Any
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

  /// True if the language is English or unspecified.
  static func speaks(_ languageCode: String) -> Bool {
    let primary = languageCode.lowercased().split { $0 == "-" || $0 == "_" }.first
    return primary == nil || primary == "en"
  }
}
