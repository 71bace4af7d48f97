import SpeechChecking
import SpeechKit

extension ConversationSettings {
  /// The check of dictated words, without its sources of pronunciations; `nil` for none.
  var check: WordCheck? {
    get {
      guard let treatment = options["check"].flatMap(WordCheck.Treatment.init(rawValue:)) else {
        return nil
      }
      let terms = (options["vocabulary"] ?? "").split(separator: "\n").map(String.init)
      return WordCheck(treatment, vocabulary: terms)
    }
    set {
      options["check"] = newValue?.treatment.rawValue
      let terms = newValue?.vocabulary ?? []
      options["vocabulary"] = terms.isEmpty ? nil : terms.joined(separator: "\n")
    }
  }
}
