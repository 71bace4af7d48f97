import Foundation

extension CommandGrammar {
  /// The grammar that JSGF describes, so that what was recognised with it can be understood: its public
  /// rules are the intents, and its tags, in the order in which they are written, are the meaning.
  ///
  /// ```swift
  /// let jsgf = try JSGFGrammar("#JSGF V1.0; grammar g; public <light> = lights (on {1} | off {0});")
  /// try CommandMatcher(CommandGrammar(jsgf)).match("lights off")?.tags   // ["0"]
  /// ```
  public init(_ jsgf: JSGFGrammar) {
    self.init(
      name: jsgf.name,
      intents: jsgf.rules.filter(\.isPublic).map { Intent(name: $0.name, phrase: .rule($0.name)) },
      rules: jsgf.rules.map { Rule(name: $0.name, phrase: Phrase($0.expansion)) })
  }
}

extension Phrase {
  /// What JSGF allows there.
  init(_ expansion: JSGFExpansion) {
    self =
      switch expansion {
      case .word(let word): .word(word.text)
      case .rule(let name, _): .rule(name)
      case .sequence(let parts): .joined(parts.map { Phrase($0) })
      case .alternatives(let parts):
        .either(parts.map { Alternative(Phrase($0.expansion), weight: $0.weight) })
      case .optional(let part): .optional(Phrase(part))
      case .repeated(let part, let atLeastOnce):
        .repeated(Phrase(part), minimum: atLeastOnce ? 1 : 0, maximum: nil)
      case .tagged(let part, let tags): .tagged(Phrase(part), tags)
      case .null: .nothing
      case .void: .never
      }
  }
}
