/// Turns the output of a model into the answer for the user.
struct AnswerProcessing {
  let action: TextAction
  /// The text that the action works on.
  let original: String

  /// - Throws: `ActionError.unexpectedAnswer` if data was expected and the answer does not match.
  func result(
    of raw: String
  ) throws(ActionError) -> (text: String, structured: StructuredAnswer?) {
    let structured = try StructuredAnswer(raw, expected: action.output, original: original)
    var text = structured?.rendered ?? raw
    for step in action.postProcessing {
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
