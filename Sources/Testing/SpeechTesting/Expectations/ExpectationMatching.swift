import SpeechLab

/// The similarity of an event to an expected one.
struct ExpectationMatch {
  /// True if the event is the expected one.
  var isMet = true
  /// The distance from the expected event, to find the nearest one.
  var distance = 0.0
  /// The differences in lines of text.
  var objection = ""
}

/// Compares events with an expected one.
struct ExpectationMatcher {
  let grammar: CommandMatcher?

  /// Returns `nil` if the event is of another kind.
  func match(_ event: VoiceLoopEvent, _ expected: ConversationExpectation.Event)
    -> ExpectationMatch?
  {
    switch (expected, event.kind) {
    case (.heard(let words, let rate), .userFinal(let text)):
      return compare(words, text, rate)
    case (.said(let words, let rate), .replyFinished(let text)),
      (.said(let words, let rate), .interrupted(let text, _)):
      return said(words, text, rate)
    case (.intent(let name, let slots), .userFinal(let text)):
      return compare(name, slots, text)
    case (.ignored(let words, let reason), .userIgnored(let text, let why)):
      let isRightReason = reason == nil || reason == why
      let words = words.map { compare($0, text, 0) }
      return ExpectationMatch(
        isMet: isRightReason && words?.isMet ?? true,
        distance: (words?.distance ?? 0) + (isRightReason ? 0 : 0.5),
        objection: isRightReason
          ? words?.objection ?? "" : "It was ignored as \(why.rawValue).")
    case (.interrupted(let words), .interrupted(let heard, _)):
      return words.map { compare($0, heard, 0) }
        ?? ExpectationMatch()
    default: return ConversationExpectation.Event(event.kind) == expected ? ExpectationMatch() : nil
    }
  }

  private func compare(
    _ expected: String, _ text: String, _ rate: Double
  ) -> ExpectationMatch {
    let comparison = WordComparison(
      said: expected, heard: text, overlooking: [.letterCase, .marks, .hyphens])
    let (errors, count) = (comparison.alignment.errors, comparison.alignment.count)
    let share = Int((comparison.errorRate * 100).rounded())
    return ExpectationMatch(
      // A small tolerance, because one word of ten is not quite a tenth.
      isMet: comparison.errorRate <= rate + 1e-9, distance: comparison.errorRate,
      objection: "\(errors) of \(count) words are wrong (\(share) %):\n"
        + comparison.picture.replacing("said  ", with: "wanted", maxReplacements: 1)
        .replacing("heard ", with: "came  ", maxReplacements: 1).indented)
  }

  /// Compares the whole heard reply, or one sentence of it.
  private func said(_ words: String, _ text: String, _ rate: Double) -> ExpectationMatch {
    let sentences = text.split { ".!?".contains($0) }.map(String.init)
    return sentences.reduce(compare(words, text, rate)) { best, sentence in
      let match = compare(words, sentence, rate)
      return match.distance < best.distance ? match : best
    }
  }

  private func compare(
    _ name: String, _ slots: [String: String], _ text: String
  ) -> ExpectationMatch {
    guard let grammar else {
      return ExpectationMatch(
        isMet: false, distance: 1, objection: "Without a grammar there are no intents.")
    }
    guard let match = grammar.match(text) else {
      return ExpectationMatch(
        isMet: false, distance: 1, objection: "“\(text)” is not a sentence of the grammar.")
    }
    let found = Dictionary(
      match.slots.map { ($0.name, $0.code ?? $0.integer.map(String.init) ?? $0.text) }
    ) { first, _ in first }
    let wrong = slots.filter { found[$0.key] != $0.value }
    guard match.intent == name, wrong.isEmpty else {
      let slots = found.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
      return ExpectationMatch(
        isMet: false, distance: (match.intent == name ? 0 : 0.5) + Double(wrong.count) * 0.1,
        objection: "“\(text)” is \(match.intent)\(slots).")
    }
    return ExpectationMatch()
  }
}

extension String {
  /// The lines indented by two blanks.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
      .joined(separator: "\n")
  }
}
