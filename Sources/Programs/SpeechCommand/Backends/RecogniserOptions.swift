import SpeechCore
import SpeechPocketSphinx

package struct RecogniserOptions<Source: CatalogSource>: OptionGroup {
  @Option(
    "--recogniser", as: .recogniser(in: Source.catalog),
    help:
      "The recogniser, NAME[:MODEL][@URL]. Default: pocketsphinx for grammars and key phrases, the "
      + "best one installed for free speech. See `speechkit doctor`.")
  package var recogniser: BackendName?
  @Option(
    "--preset", as: .choice("PRESET"), help: "The effort for an utterance. Default: balanced.")
  package var preset: PocketSphinxPreset?

  /// The recogniser that both options choose together; `nil` if neither is given.
  package var given: BackendName? {
    get throws(UsageError) { recogniser == nil && preset == nil ? nil : try name() }
  }

  /// The recogniser that both options choose together, or the catalogue's first one.
  package func name() throws(UsageError) -> BackendName {
    try BackendName(recogniser, preset: preset, in: Source.catalog)
  }

  package init() {}

  package func validate() throws { _ = try name() }
}

extension BackendName {
  /// Combines the values of `--recogniser` and `--preset`, unless they contradict each other.
  package init(
    _ recogniser: BackendName?, preset: PocketSphinxPreset?, in catalog: SpeechCatalog
  ) throws(UsageError) {
    if let recogniser {
      self = recogniser
    } else {
      try self.init(recogniser: "", in: catalog)
    }
    guard let preset = preset?.rawValue else { return }
    guard let named = try? catalog.recogniserEntry(entry),
      named.variants.contains(preset), variant.isEmpty || variant == preset
    else { throw UsageError("--preset \(preset) does not go with --recogniser \(self).") }
    variant = preset
  }
}

/// The catalogue in which a program looks up the backends that its options name.
package protocol CatalogSource: Sendable {
  static var catalog: SpeechCatalog { get }
}

extension SpeechCatalog {
  /// The names by which recognisers are chosen.
  package var recogniserNames: [String] { recognisers.flatMap { $0.variants + [$0.name] } }
}

extension ValueFormat where Value == BackendName {
  /// The name of a recogniser in the catalogue.
  package static func recogniser(in catalog: SpeechCatalog) -> Self {
    Self("NAME", .choices(catalog.recogniserNames)) { text, _ in try catalog.recogniserName(text) }
  }

  /// The name of a voice in the catalogue.
  package static func voice(in catalog: SpeechCatalog) -> Self {
    Self("VOICE") { text, _ in try catalog.voiceName(text) }
  }
}

extension BackendName {
  /// Parses the name of a voice.
  package init(voice text: String, in catalog: SpeechCatalog) throws(UsageError) {
    self = try UsageError.reporting { try catalog.voiceName(text) }
  }

  /// Parses the name of a recogniser; the first one of the catalogue for an empty text.
  package init(recogniser text: String, in catalog: SpeechCatalog) throws(UsageError) {
    self = try UsageError.reporting { try catalog.recogniserName(text) }
  }
}
