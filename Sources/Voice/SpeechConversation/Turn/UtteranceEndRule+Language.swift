import SpeechCore
import SpeechGrammar

extension UtteranceEndRule {
  /// Waits no longer than needed where a grammar says what may be said: a moment behind a sentence that
  /// nothing can follow, longest in the middle of one.
  ///
  /// - Parameters:
  ///   - sentence: the silence behind a complete sentence.
  ///   - open: the silence behind a sentence that may go on.
  ///   - middle: the silence in the middle of a sentence.
  ///   - other: the silence behind what is no sentence of the grammar.
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

  /// Waits longer where an English sentence cannot end: behind an article, a preposition, a conjunction, or a
  /// sound of hesitation.
  ///
  /// - Parameters:
  ///   - usual: the silence that ends an utterance.
  ///   - middle: the silence in the middle of a sentence.
  public static func english(
    usual: Duration = .milliseconds(700), middle: Duration = .milliseconds(1_500)
  ) -> UtteranceEndRule {
    UtteranceEndRule { text in
      guard let last = SpokenWords(text).words.last else { return usual }
      return Self.openWords.contains(last) ? middle : usual
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
