import SpeechCore
import SpeechPocketSphinx

/// The options that choose a recogniser.
package struct RecogniserOptions<Source: CatalogSource>: OptionGroup {
  @Option(
    "--recogniser", as: .recogniser(in: Source.catalog),
    help: "The recogniser, NAME[:MODEL][@URL]. Default: pocketsphinx. See `speechkit doctor`.")
  package var recogniser: BackendName?
  @Option(
    "--preset", as: .choice("PRESET"),
    help: "The effort for an utterance. Default: balanced.")
  package var preset: PocketSphinxPreset?

  /// The recogniser that both options choose together.
  ///
  /// - Throws: `UsageError` when they contradict each other.
  package func name() throws(UsageError) -> BackendName {
    try BackendName(recogniser, preset: preset, in: Source.catalog)
  }

  package init() {}

  package func validate() throws { _ = try name() }
}

extension BackendName {
  /// Combines the values of `--recogniser` and `--preset`.
  ///
  /// - Throws: `UsageError` when they contradict each other.
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
