extension TextAction {
  /// Turns the output of a model into the answer for the user.
  ///
  /// - Parameter original: The text that the action worked on.
  /// - Throws: `ActionError.unexpectedAnswer` if data was expected and the answer does not match.
  func processed(
    _ raw: String, original: String
  ) throws(ActionError) -> (text: String, structured: StructuredAnswer?) {
    let structured = try StructuredAnswer(raw, expected: output, original: original)
    var text = structured?.rendered ?? raw
    for step in postProcessing {
      switch step {
      case .cleanUp where structured == nil:
        text = AnswerCleanup.cleaned(text, original: original)
      case .plainText where structured == nil: text = Markdown(text).plainText
      case .ansi: text = structured?.ansi ?? Markdown(text).ansi
      case .replaceOriginal: text = structured?.replacement ?? text
      case .cleanUp, .plainText: break
      }
    }
    return (text, structured)
  }
}
