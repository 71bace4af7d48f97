import Foundation
import SpeechCore
import SpeechGrammar

/// The settings of a `WhisperDecoder`.
///
/// ```swift
/// let configuration = WhisperConfiguration(model: "base.en", vocabulary: ["SpeechKit", "Linux"])
/// ```
public struct WhisperConfiguration: Sendable {
  /// The name of an installed model, such as `tiny.en`, or the path of a model file; empty for the
  /// best installed one.
  public var model: String
  /// The file of the library, or its folder; `nil` to look for it.
  public var library: URL?
  /// True if the language is detected in each utterance instead of being that of the decoder.
  public var detectsLanguage = false
  /// True if the text is translated into English. For multilingual models.
  public var translates = false
  /// True if the text has punctuation and capital letters.
  public var punctuates = true
  /// Names and terms that are likely to be said.
  public var vocabulary: [String]
  /// The grammar whose sentences are recognised, and nothing else; `nil` for free speech. There are
  /// no partial results then.
  public var grammar: JSGFGrammar?
  /// The confidence from which on a sentence of the grammar is accepted.
  public var minimumConfidence: Float = 0
  /// The text that precedes the first utterance, of which the last 200 characters count.
  public var context = ""
  /// The number of threads of a decoding; `nil` for one in files, and for all cores, at most four,
  /// while listening.
  public var threads: Int?
  /// True if results are wanted while an utterance is in progress.
  public var reportsPartials = true

  /// Creates a configuration.
  public init(model: String = "", vocabulary: [String] = []) {
    self.model = model
    self.vocabulary = vocabulary
  }

  /// The text before the utterance, as the model is to imagine it.
  func prompt(after context: String) -> String? {
    // As a sentence, because the model continues in the manner of the text before.
    let terms = vocabulary.isEmpty ? "" : "Glossary: \(vocabulary.joined(separator: ", "))."
    let text = [terms, context.ending].filter { !$0.isEmpty }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }
}

extension String {
  /// The last words of a text, as many as help to understand the next ones. A model has room for
  /// about a thousand characters, and takes longer for each.
  fileprivate var ending: String {
    guard count > 200 else { return self }
    let end = suffix(200)
    return String(end[(end.firstIndex(of: " ") ?? end.startIndex)...].dropFirst())
  }
}
