/// Makes of what a model wrote what the user gets.
struct AnswerProcessing {
  let action: TextAction
  /// The text that the action is run on.
  let original: String

  /// - Throws: `ActionError.unexpectedAnswer` when data was asked for and something else came.
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
