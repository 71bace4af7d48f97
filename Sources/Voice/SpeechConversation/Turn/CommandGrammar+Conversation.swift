import SpeechGrammar

extension CommandGrammar {
  /// The grammar of what may be said in a conversation by these rules: its own sentences, each with or
  /// without a wake word before it, the wake word alone, and the stop words. A recogniser of a grammar hears
  /// nothing else, so that it would be deaf to them otherwise.
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

  /// The name, or one like it that the grammar does not have.
  private func unused(_ name: String) -> String {
    let taken = Set(intents.map(\.name) + rules.map(\.name))
    var free = name
    while taken.contains(free) { free += "_" }
    return free
  }
}
