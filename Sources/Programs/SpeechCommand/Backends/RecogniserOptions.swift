import SpeechKit

/// The options that choose a recogniser.
struct RecogniserOptions: OptionGroup {
  @Option(
    "--recogniser", as: .recogniser,
    help: "The recogniser, NAME[:MODEL][@URL]. Default: pocketsphinx. See `speechkit doctor`.")
  var recogniser: BackendName?
  @Option(
    "--preset", as: .choice("PRESET"),
    help: "The effort for an utterance. Default: balanced.")
  var preset: PocketSphinxPreset?

  /// The recogniser that both options choose together.
  ///
  /// - Throws: `UsageError` when they contradict each other.
  func name() throws(UsageError) -> BackendName { try BackendName(recogniser, preset: preset) }

  func validate() throws { _ = try name() }
}

extension BackendName {
  /// Combines the values of `--recogniser` and `--preset`.
  ///
  /// - Throws: `UsageError` when they contradict each other.
  init(_ recogniser: BackendName?, preset: PocketSphinxPreset?) throws(UsageError) {
    if let recogniser {
      self = recogniser
    } else {
      try self.init(recogniser: "")
    }
    guard let preset = preset?.rawValue else { return }
    guard let named = try? SpeechCatalog.current.recogniserEntry(entry),
      named.variants.contains(preset), variant.isEmpty || variant == preset
    else { throw UsageError("--preset \(preset) does not go with --recogniser \(self).") }
    variant = preset
  }
}
