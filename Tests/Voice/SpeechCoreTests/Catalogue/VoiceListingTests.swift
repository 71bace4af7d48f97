import SpeechCore
import Testing

struct VoiceListingTests {
  private func entry(_ name: String, isDenied: Bool = false) -> VoiceEntry {
    VoiceEntry(
      name, displayName: name, remedy: "None.",
      access: { _ in
        if isDenied { throw SpeechSynthesisProviderError.authenticationFailed }
      }
    ) { _ in (ToneVoice(), ToneVoice.Configuration()) }
  }

  @Test func `all voices are listed, and an engine that fails is named`() async throws {
    let catalog = SpeechCatalog(
      voices: [entry("first"), entry("locked", isDenied: true), entry("second")], recognisers: [])
    let listing = try await catalog.allVoices()
    #expect(listing.voices.map(\.providerId) == ["first", "second"])
    #expect(listing.voices.map(\.id) == ["tone", "tone"])
    #expect(listing.failures.map(\.provider) == ["locked"])
    #expect(
      listing.failures.first?.error as? SpeechSynthesisProviderError == .authenticationFailed)
  }
}
