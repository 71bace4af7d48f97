import SpeechGrammar

extension CommandGrammar {
  /// Returns the grammar of everything that may be said in a conversation with these rules: its own
  /// sentences, each with or without a wake word in front, the wake word alone, and the stop words.
  /// A recogniser with a grammar hears nothing outside it, so these have to be part of it.
  ///
  /// ```swift
  /// let heard = try home.inConversation(rules).jsgfText()
  /// ```
  public func inConversation(_ rules: TurnRules) -> CommandGrammar {
    var grammar = self
    if case .wakeWord(let phrases, _) = rules.attention {
      let called = Phrase.either(phrases.map { Phrase.Alternative(Phrase($0)) })
      grammar.intents = intents.map { intent in
        var intent = intent
        intent.phrase = .joined([.optional(called), intent.phrase])
        return intent
      }
      grammar.intents.append(Intent(name: unused("wake_word"), phrase: called))
    }
    let stops = rules.interruption.stopWords.sorted()
    if !stops.isEmpty {
      grammar.intents.append(
        Intent(
          name: unused("stop_word"), phrase: .either(stops.map { Phrase.Alternative(Phrase($0)) })))
    }
    return grammar
  }

  /// Returns the name, or a similar one that the grammar does not contain.
  private func unused(_ name: String) -> String {
    let taken = Set(intents.map(\.name) + rules.map(\.name))
    var free = name
    while taken.contains(free) { free += "_" }
    return free
  }
}
