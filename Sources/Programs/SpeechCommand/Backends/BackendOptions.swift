import Foundation
import SpeechKit

/// Access to the catalogue for options.
enum BackendOptions {
  /// Looks something up in the catalogue, and reports an unknown name as a usage error.
  static func inCatalogue<Value>(
    _ find: (SpeechCatalog) throws(SpeechCatalogError) -> Value
  ) throws(UsageError) -> Value {
    do throws(SpeechCatalogError) {
      return try find(.current)
    } catch {
      throw UsageError(error.localizedDescription)
    }
  }
}

extension ValueFormat where Value == BackendName {
  /// The name of a recogniser in the catalogue.
  static var recogniser: Self {
    Self("NAME", .choices(SpeechCatalog.current.recogniserNames)) { text, _ throws(UsageError) in
      try BackendName(recogniser: text)
    }
  }

  /// The name of a voice in the catalogue.
  static var voice: Self {
    Self("VOICE") { text, _ throws(UsageError) in try BackendName(voice: text) }
  }
}

extension ValueFormat where Value == VoiceEntry {
  /// The name of a voice engine in the catalogue.
  static var voiceEngine: Self {
    Self("ENGINE", .choices(SpeechCatalog.current.voices.map(\.name))) {
      text, _ throws(UsageError) in
      try BackendOptions.inCatalogue { catalog throws(SpeechCatalogError) in
        try catalog.voiceEntry(text)
      }
    }
  }
}

extension ValueFormat where Value == URL {
  /// The address of a server.
  static var server: Self {
    Self("URL") { text, option throws(UsageError) in
      guard let url = URL(string: text), url.host() != nil else {
        throw UsageError(
          "\(option) takes an address such as http://localhost:8000/v1, not “\(text)”")
      }
      return url
    }
  }
}

extension SpeechCatalog {
  /// The names by which recognisers are chosen.
  var recogniserNames: [String] { recognisers.flatMap { $0.variants + [$0.name] } }
}

extension BackendName {
  /// The default voice of the first engine that is available.
  static let defaultVoice = BackendName(entry: "")

  /// Parses the name of a voice.
  init(voice text: String) throws(UsageError) {
    self = try BackendOptions.inCatalogue { catalog throws(SpeechCatalogError) in
      try catalog.voiceName(text)
    }
  }

  /// Parses the name of a recogniser; the first one of the catalogue for an empty text.
  init(recogniser text: String) throws(UsageError) {
    self = try BackendOptions.inCatalogue { catalog throws(SpeechCatalogError) in
      try catalog.recogniserName(text)
    }
  }

  /// Combines the values of `--voice`, `--provider` and `--server`.
  ///
  /// - Throws: `UsageError` when they contradict each other.
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
