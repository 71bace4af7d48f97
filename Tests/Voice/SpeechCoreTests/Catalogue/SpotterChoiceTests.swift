import SpeechConcurrency
import SpeechCore
import Testing

/// The recogniser that waits for a key phrase before another one recognises the command.
struct SpotterChoiceTests {
  private let asked = Guarded<[String]>([])

  private func entry(
    _ name: String, isLocal: Bool = true, features: Set<RecogniserEntry.Feature> = []
  ) -> RecogniserEntry {
    RecogniserEntry(
      name, of: ReadingDecoder.self, displayName: name, isLocal: isLocal, features: features,
      remedy: ""
    ) { [asked] settings in
      if case .keyPhrases = settings.search {
        asked.withLock { $0.append("\(name):\(settings.variant)") }
      }
      return ReadingDecoder.Configuration()
    }
  }

  private func spotter(for command: String, spotter: String? = nil) throws -> String? {
    let catalog = SpeechCatalog(
      voices: [],
      recognisers: [
        entry("remote", isLocal: false, features: [.keyPhrases]), entry("plain"),
        entry("local", features: [.keyPhrases]), entry("other", features: [.keyPhrases]),
      ])
    asked.withLock { $0 = [] }
    _ = try catalog.recogniser(
      try BackendName(command), settings: RecogniserSettings(), wakingBy: ["computer"],
      spotter: try spotter.map { try BackendName($0) }, window: nil)
    return asked.withLock { $0.last }
  }

  @Test func `a local recogniser waits for the phrase itself if it can`() throws {
    #expect(try spotter(for: "other:a") == "other:a")
    #expect(try spotter(for: "plain:a") == "local:")
  }

  @Test func `nothing is sent away for a phrase unless it is asked for`() throws {
    #expect(try spotter(for: "remote:place") == "local:")
    #expect(try spotter(for: "plain", spotter: "remote:place") == "remote:place")
    #expect(try spotter(for: "remote:place", spotter: "remote:else") == "remote:else")
  }

  @Test func `a spotter that hears no phrases is refused with those that do`() {
    #expect(
      throws: SpeechCatalogError.unsupported(
        "key phrases", by: "plain", others: ["remote", "local", "other"])
    ) { try spotter(for: "local", spotter: "plain") }
  }
}
