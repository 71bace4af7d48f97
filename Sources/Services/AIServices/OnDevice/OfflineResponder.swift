import Foundation

/// Answers by a few rules if there is no model: the time, the date, arithmetic, and an echo.
///
/// Its answers state that it is not a language model.
struct OfflineResponder: Sendable {
  var locale = Locale(identifier: "en_US")
  var timeZone = TimeZone.current

  func answer(to prompt: String, at date: Date) -> String {
    let question = prompt.trimmingCharacters(in: .whitespacesAndNewlines)
    let words = Set(question.lowercased().split { !$0.isLetter }.map(String.init))
    if let value = sum(in: question) { return "That makes \(value)." }
    if words.contains("time"), !words.isDisjoint(with: ["what", "tell", "clock"]) {
      return "It is \(formatted(date, .omitted, .shortened))."
    }
    if words.contains("date") || words.contains("day") || words.contains("today"),
      !words.isDisjoint(with: ["what", "which", "tell"])
    {
      return "Today is \(formatted(date, .complete, .omitted))."
    }
    if !words.isDisjoint(with: ["hello", "hi", "hey"]), words.count <= 4 {
      return "Hello! " + Self.confession
    }
    if question.isEmpty || (words.contains("who") && words.contains("you")) {
      return Self.confession
    }
    return "You said: “\(question)” " + Self.confession
  }

  private static let confession =
    "I am SpeechKit's offline responder, not a language model: I know the time, the date and "
    + "arithmetic."

  private func sum(in question: String) -> String? {
    let openings = ["what is", "what's", "how much is", "calculate", "compute"]
    var text = question.trimmingCharacters(in: ["?", ".", "!", "=", " "])
    if let opening = openings.first(where: { text.lowercased().hasPrefix($0) }) {
      text = String(text.dropFirst(opening.count))
    }
    return Arithmetic.value(of: text)?
      .formatted(.number.precision(.fractionLength(0...6)).locale(locale))
  }

  private func formatted(
    _ date: Date, _ day: Date.FormatStyle.DateStyle, _ time: Date.FormatStyle.TimeStyle
  ) -> String {
    date.formatted(Date.FormatStyle(date: day, time: time, locale: locale, timeZone: timeZone))
  }
}
