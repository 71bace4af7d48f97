import AIServices

/// What an answer has to be.
///
/// ```swift
/// action.output = .corrections
/// action.output = .json(schema: ["type": "object", "required": ["mood"]])
/// ```
public enum OutputExpectation: Sendable, Hashable {
  /// Plain text.
  case text
  /// Markdown.
  case markdown
  /// Each sentence of the text with its translation: `StructuredAnswer.sentencePairs`.
  case sentencePairs
  /// What is wrong, what is right, and why: `StructuredAnswer.corrections`.
  case corrections
  /// What stays, goes and comes: `StructuredAnswer.diff`.
  case diff
  /// JSON that follows that schema.
  case json(schema: SendableValue)
}

/// What becomes of an answer once it is complete.
public enum PostProcessing: String, Sendable, Hashable, CaseIterable {
  /// Fences and quotation marks around the whole answer, and blanks at its ends, are taken away.
  case cleanUp = "clean-up"
  /// Markdown becomes plain text.
  case plainText = "plain-text"
  /// Markdown becomes text with the colours and weights of a terminal.
  case ansi
  /// The answer is put in the place of the text it is about. Whoever runs the action does that.
  case replaceOriginal = "replace"
}

/// Where the text of an action may go.
public enum PrivacyRule: String, Sendable, Hashable, CaseIterable {
  /// To any connector.
  case anywhere
  /// Nowhere else: only connectors on this machine are asked, and no answer is kept.
  case thisMachine = "this-machine"
  /// Only connectors on this machine are asked; answers may be kept in memory.
  case thisMachineCached = "this-machine-cached"

  /// Whether nothing may leave this machine.
  public var isPrivate: Bool { self != .anywhere }

  /// Whether answers may be kept for the next time.
  public var allowsCache: Bool { self != .thisMachine }
}
