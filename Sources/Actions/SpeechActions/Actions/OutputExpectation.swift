import AIServices

/// The format of an answer.
///
/// ```swift
/// action.output = .corrections
/// action.output = .json(schema: ["type": "object", "required": ["mood"]])
/// ```
public enum OutputExpectation: Sendable, Hashable {
  /// Plain text without markup.
  case text
  /// Text with Markdown markup.
  case markdown
  /// Each sentence of the text with its translation: `StructuredAnswer.sentencePairs`.
  case sentencePairs
  /// Errors with corrections and reasons: `StructuredAnswer.corrections`.
  case corrections
  /// Kept, deleted and inserted pieces: `StructuredAnswer.diff`.
  case diff
  /// JSON that follows a schema.
  case json(schema: SendableValue)
}

/// A step that is applied to a complete answer.
public enum PostProcessing: String, Sendable, Hashable, CaseIterable {
  /// Removes code fences, quotation marks and whitespace around the answer.
  case cleanUp = "clean-up"
  /// Converts Markdown to plain text.
  case plainText = "plain-text"
  /// Converts Markdown to text with terminal colours and weights.
  case ansi
  /// Replaces the original text with the answer. The program that runs the action does this.
  case replaceOriginal = "replace"
}

/// A rule for the connectors that may receive the text of an action.
public enum PrivacyRule: String, Sendable, Hashable, CaseIterable {
  /// Any connector may receive the text.
  case anywhere
  /// Only connectors on this machine receive the text, and answers are not cached.
  case thisMachine = "this-machine"
  /// Only connectors on this machine receive the text. Answers may be cached in memory, but not in
  /// a file.
  case thisMachineCached = "this-machine-cached"

  /// True if the text must not leave this machine.
  public var isPrivate: Bool { self != .anywhere }

  /// True if answers may be cached.
  public var allowsCache: Bool { self != .thisMachine }
}
