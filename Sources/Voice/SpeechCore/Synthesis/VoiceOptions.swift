extension [String: String] {
  /// The number in the option of that name; `nil` without such an option.
  ///
  /// - Throws: `SpeechSynthesisProviderError.unknown` when it is not a number.
  package func number(option name: String) throws(SpeechSynthesisProviderError) -> Float? {
    guard let value = self[name] else { return nil }
    guard let number = Float(value), number.isFinite else {
      throw .unknown("The option \(name) is “\(value)”; it has to be a number.")
    }
    return number
  }
}
