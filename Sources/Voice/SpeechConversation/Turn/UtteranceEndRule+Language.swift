import SpeechCore
import SpeechGrammar

extension UtteranceEndRule {
  /// Returns a rule that follows a grammar: it waits least after a sentence that cannot continue,
  /// and longest in mid-sentence.
  ///
  /// - Parameters:
  ///   - sentence: The silence after a complete sentence.
  ///   - open: The silence after a sentence that may continue.
  ///   - middle: The silence in mid-sentence.
  ///   - other: The silence after words that form no sentence of the grammar.
  public static func grammar(
    _ matcher: CommandMatcher, sentence: Duration = .milliseconds(350),
    open: Duration = .milliseconds(450), middle: Duration = .milliseconds(1_500),
    other: Duration = .milliseconds(800)
  ) -> UtteranceEndRule {
    UtteranceEndRule { text in
      guard !SpokenWords(text).isEmpty else { return other }
      return switch matcher.progress(of: text) {
      case .sentence: sentence
      case .beginning: middle
      case .none: other
      case .sentenceOrBeginning: open
      }
    }
  }

  /// Returns a rule that waits longer where an English sentence cannot end: after an article, a
  /// preposition, a conjunction or a hesitation.
  ///
  /// - Parameters:
  ///   - normal: The silence that ends an utterance.
  ///   - middle: The silence in mid-sentence.
  public static func english(
    normal: Duration = .milliseconds(700), middle: Duration = .milliseconds(1_500)
  ) -> UtteranceEndRule {
    UtteranceEndRule { text in
      guard let last = SpokenWords(text).words.last else { return normal }
      return Self.openWords.contains(last) ? middle : normal
    }
  }

  private static let openWords: Set<String> = [
    "a", "an", "the", "and", "or", "but", "because", "if", "so", "that", "which", "to", "of", "in",
    "on",
    "at", "for", "from", "with", "by", "my", "your", "his", "her", "our", "their", "is", "are",
    "was",
    "uh", "um", "er", "well", "like", "very", "really", "i", "we", "they",
  ]
}
