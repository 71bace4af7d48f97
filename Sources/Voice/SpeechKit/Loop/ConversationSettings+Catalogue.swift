import Foundation

extension ConversationSettings {
  /// The name of the recogniser in the catalogue; empty for its first one.
  public var recogniser: String {
    // Recordings of earlier versions have the preset alone, which is a name as well.
    get { options["recogniser"] ?? options["preset"] ?? "" }
    set {
      options["preset"] = nil
      options["recogniser"] = newValue.isEmpty ? nil : newValue
    }
  }

  /// The name of the recogniser that reads what the grammar rejects; `nil` to take it as not
  /// understood.
  public var otherRecogniser: String? {
    get { options["otherwise"] }
    set { options["otherwise"] = newValue }
  }

  /// The name of the recogniser that waits for the wake word; `nil` for the recogniser itself, or
  /// a local one if it does not listen for phrases.
  public var spotter: String? {
    get { options["spotter"] }
    set { options["spotter"] = newValue }
  }

  /// The folder of the language model for dictation; `nil` for the recogniser's own.
  public var languageModel: URL? {
    get { options["model"].map { URL(filePath: $0) } }
    set { options["model"] = newValue?.relativePath }
  }

  /// The key phrases that wake the loop, with their thresholds; those of the rules without
  /// thresholds unless set.
  public var wakePhrases: [KeyPhrase] {
    get {
      guard case .wakeWord(let texts, _) = rules.attention else { return [] }
      let tuned = (try? KeyPhrase.list(options["wake"] ?? "")) ?? []
      return texts.map { text in tuned.first { $0.text == text } ?? KeyPhrase(text) }
    }
    set { options["wake"] = newValue.map(\.description).joined(separator: "\n") }
  }

  /// The confidence from which on a sentence of the grammar is accepted; recommended unless set.
  public var acceptance: PocketSphinxAcceptance {
    get {
      switch options["accept"] {
      case "off": .off
      case let text?: Float(text).map(PocketSphinxAcceptance.atLeast) ?? .recommended
      case nil: .recommended
      }
    }
    set {
      switch newValue {
      case .off: options["accept"] = "off"
      case .atLeast(let confidence): options["accept"] = String(confidence)
      }
    }
  }

  /// The recogniser's settings, with the grammar as it is written.
  package func recogniserSettings() throws -> RecogniserSettings {
    try recogniserSettings(try grammar.map { CommandGrammar(try JSGFGrammar($0)) })
  }

  /// The recogniser's settings, with its grammar in conversation form.
  ///
  /// - Throws: `JSGFError` and `CommandGrammarError` for a broken grammar.
  func recogniserSettings(
    _ grammar: CommandGrammar?
  ) throws -> RecogniserSettings {
    var settings = RecogniserSettings(languageModel: grammar == nil ? languageModel : nil)
    if let grammar {
      settings.search = .grammar(try grammar.jsgfText())
      if case .atLeast(let confidence) = acceptance { settings.minimumConfidence = confidence }
    }
    return settings
  }
}
