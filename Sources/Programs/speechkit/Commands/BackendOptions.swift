import Foundation
import SpeechKit

/// The options that choose a voice or a recogniser from the catalogue.
enum BackendOptions {
  static let voice = ValueOption<BackendName>(
    "voice", short: "v", value: "VOICE",
    help: "The voice: a language (en-gb), a name, or ENGINE:NAME. See `speechkit voices`."
  ) { text throws(UsageError) in try BackendName(voice: text) }
  static let provider = ValueOption<VoiceEntry>(
    "provider", short: "p", value: "ENGINE", help: "The engine that speaks.",
    hint: .choices(SpeechCatalog.current.voices.map(\.name))
  ) { text throws(UsageError) in
    try inCatalogue { catalog throws(SpeechCatalogError) in try catalog.voiceEntry(text) }
  }
  static let recogniser = ValueOption<BackendName>(
    "recogniser", value: "NAME",
    help: "The recogniser, NAME[:MODEL][@URL]: pocketsphinx unless given. See `speechkit doctor`.",
    hint: .choices(SpeechCatalog.current.recogniserNames)
  ) { text throws(UsageError) in try BackendName(recogniser: text) }
  static let server = ValueOption<URL>(
    "server", value: "URL",
    help: "The address of a server of OpenAI's kind; for voices and recognisers of openai."
  ) { text throws(UsageError) in
    guard let url = URL(string: text), url.host() != nil else {
      throw UsageError("--server takes an address such as http://localhost:8000/v1, not “\(text)”")
    }
    return url
  }

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
