import SpeechCommand
import SpeechKit

/// The catalogue of the program, which apps and tests can extend.
enum CurrentCatalog: CatalogSource {
  static var catalog: SpeechCatalog { .current }
}

typealias RecogniserOptions = SpeechCommand.RecogniserOptions<CurrentCatalog>

extension ValueFormat where Value == VoiceEntry {
  /// The name of a voice engine in the catalogue.
  static var voiceEngine: Self {
    Self("ENGINE", .choices(SpeechCatalog.current.voices.map(\.name))) { text, _ in
      try SpeechCatalog.current.voiceEntry(text)
    }
  }
}

extension ValueFormat where Value == URL {
  /// The address of a server.
  static var server: Self {
    Self("URL") { text, option in
      guard let url = URL(string: text), url.host() != nil else {
        throw UsageError(
          "\(option) takes an address such as http://localhost:8000/v1, not “\(text)”")
      }
      return url
    }
  }
}

extension BackendName {
  /// The default voice of the first engine that is available.
  static let defaultVoice = BackendName(entry: "")

  /// Combines the values of `--voice`, `--provider` and `--server`, if they go together.
  init(_ voice: BackendName?, provider: VoiceEntry?, server: URL?) throws(UsageError) {
    self = voice ?? .defaultVoice
    if let provider {
      guard entry.isEmpty || entry == provider.name else {
        throw UsageError("--voice asks for \(entry) and --provider for \(provider.name).")
      }
      entry = provider.name
    }
    guard let server else { return }
    let served = SpeechCatalog.current.voices.filter { $0.features.contains(.server) }.map(\.name)
    guard served.contains(entry) else {
      throw UsageError("--server goes with --provider \(served.joined(separator: " or ")).")
    }
    self.server = server
  }
}
