extension ModelTable {
  /// ElevenLabs' retired models.
  package static let elevenLabs = ModelTable(
    vendor: "ElevenLabs", hosts: Set(ElevenLabsConfiguration.hosts),
    retirements: [
      "eleven_monolingual_v1": Retirement(successor: "eleven_flash_v2_5")
    ])
}

/// The maximum number of characters per request for each model, as reported in autumn 2026.
enum ElevenLabsLimits {
  static func characters(of model: String) -> Int {
    switch model {
    case "eleven_flash_v2_5": 40_000
    case "eleven_flash_v2": 30_000
    case "eleven_v4", "eleven_v4_turbo", "eleven_multilingual_v2": 10_000
    default: 5_000
    }
  }
}
