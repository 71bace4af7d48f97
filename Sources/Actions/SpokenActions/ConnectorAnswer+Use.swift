import SpeechActions

extension ConnectorAnswer {
  /// What goes in the place of the text that was asked about: of corrections the corrected text, of sentence
  /// pairs the translations.
  public var replacement: String { structured?.replacement ?? text }

  /// What a voice says of it: plain words without marks.
  public var spoken: String { structured?.replacement ?? Markdown(text).plainText }
}
