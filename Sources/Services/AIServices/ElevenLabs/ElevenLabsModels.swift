extension ModelTable {
  /// ElevenLabs' retired models.
  package static let elevenLabs = ModelTable(
    vendor: "ElevenLabs", hosts: Set(ElevenLabsConfiguration.hosts),
    retirements: [
      "eleven_monolingual_v1": Retirement(successor: "eleven_flash_v2_5")
    ])
}
