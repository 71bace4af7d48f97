import SpeechActions

extension ConnectorAnswer {
  /// The text that replaces the original: the corrected text of corrections, or the translations of
  /// sentence pairs.
  public var replacement: String { structured?.replacement ?? text }

  /// The text for a voice, without markup.
  public var spoken: String { structured?.replacement ?? Markdown(text).plainText }
}
