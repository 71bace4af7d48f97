import SpeechCore

extension AnyRecogniser {
  /// Returns the recogniser with a check of its words against the audio.
  ///
  /// ```swift
  /// let recogniser = try SpeechCatalog.current.recogniser("whisper").checked(by: WordCheck())
  /// ```
  public func checked(by check: WordCheck) -> AnyRecogniser {
    AnyRecogniser(
      self, with: [], of: CheckedDecoder<AnyDecoder>.self,
      configuration: CheckedConfiguration(configuration, check: check))
  }
}
