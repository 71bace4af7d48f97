import Foundation

/// Reads a file of templates, and continues after each error so that all of them are reported.
struct TemplateReader {
  private struct Section {
    /// The intent or rule; `nil` for the values of a slot.
    var part: JSGFCompiler.Part?
    var name: String
    var weight: Double?
    var position: TextPosition
    var lines: [Line]
  }

  private struct Line {
    var text: ArraySlice<Character>
    var number: Int
  }

  private let file: String?
  private let languages: [GrammarLanguage]
  private var sections: [Section] = []
  private var slots: [String: SlotType] = [:]
  private var problems: [GrammarDiagnostic] = []
  private var grammar: CommandGrammar
  private var ruleNames: Set<String> = []

  init(file: String?, languages: [GrammarLanguage]) {
    self.file = file
    self.languages = languages
    grammar = CommandGrammar(
      name: file.map { String($0.prefix { $0 != "." }) } ?? "commands",
      language: languages.first ?? .english, intents: [])
  }

  static func grammar(
    _ text: String, file: String?, languages: [GrammarLanguage]
  ) throws(CommandGrammarError) -> CommandGrammar {
    guard text.utf8.count <= JSGFLimits.bytes else {
      throw CommandGrammarError([GrammarDiagnostic(JSGFLimits.tooManyBytes, in: file)])
    }
    var reader = TemplateReader(file: file, languages: languages)
    reader.read(text)
    guard reader.problems.isEmpty else {
      let top = TextPosition(line: 0, column: 0)
      let sorted = reader.problems.sorted { $0.position ?? top < $1.position ?? top }
      throw CommandGrammarError(Array(sorted.prefix(CommandGrammarLimits.problems)))
    }
    return reader.grammar
  }

  private mutating func report(_ kind: GrammarDiagnostic.Kind, _ position: TextPosition?) {
    problems.append(GrammarDiagnostic(kind, at: position, in: file))
  }

  private mutating func read(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let characters = Array(index == 0 && line.first == "\u{FEFF}" ? line.dropFirst() : line)
      read(line: characters, number: index + 1)
    }
    readSlots()
    readPhrases()
    guard problems.isEmpty else { return }
    let places = Dictionary(
      sections.map { ($0.part, $0.position) }, uniquingKeysWith: { _, last in last })
    for finding in JSGFCompiler(grammar).compile().problems {
      report(finding.kind, finding.part.flatMap { places[$0] })
    }
  }

  // MARK: - Headings

  private mutating func read(line characters: [Character], number: Int) {
    guard let start = characters.firstIndex(where: { !$0.isWhitespace }), characters[start] != "#"
    else { return }
    let position = TextPosition(line: number, column: start + 1)
    if let heading = TemplateHeading(characters[start...]) {
      read(heading, number, position)
      return
    }
    guard !sections.isEmpty else { return report(.noHeading, position) }
    sections[sections.count - 1].lines.append(Line(text: characters[start...], number: number))
  }

  private mutating func read(_ heading: TemplateHeading, _ number: Int, _ position: TextPosition) {
    var section = Section(
      name: heading.name, position: position, lines: [Line(text: heading.rest, number: number)])
    switch heading.kind {
    case "grammar", "language":
      let rest = String(heading.rest.prefix { $0 != "#" }).trimmed
      if heading.kind == "grammar" {
        grammar.name = rest
      } else if let language = languages.first(where: { $0.identifier == rest }) {
        grammar.language = language
      } else {
        report(.unknownLanguage(rest), position)
      }
      return
    case "intent":
      section.part = .intent(heading.name)
      if let text = heading.weight {
        section.weight = Double(text)
        if section.weight.map({ !$0.isFinite || $0 < 0 }) ?? true {
          report(.badWeight(text), position)
        }
      }
    case "rule":
      section.part = .rule(heading.name)
      ruleNames.insert(heading.name)
    default: break
    }
    sections.append(section)
  }

  // MARK: - Slots

  private mutating func readSlots() {
    for section in sections where section.part == nil {
      let name = section.name
      guard slots[name] == nil else {
        report(.duplicate("the slot {\(name)}"), section.position)
        continue
      }
      let texts = section.lines.map { String($0.text.prefix { $0 != "#" }).trimmed }
        .filter { !$0.isEmpty }
      do throws(GrammarDiagnostic) {
        if texts.count == 1, let type = try SlotType(named: texts[0]) {
          slots[name] = type
          continue
        }
      } catch {
        report(error.kind, section.position)
        slots[name] = .number
        continue
      }
      let values = section.lines.flatMap { readValues($0) }
      if texts.isEmpty { report(.undefinedSlot(name), section.position) }
      slots[name] = .values(values)
    }
  }

  private mutating func readValues(_ content: Line) -> [Value] {
    guard
      let line = parse(
        content,
        slot: { text, position throws(GrammarDiagnostic) in
          throw GrammarDiagnostic(.slotInSlot(text), at: position)
        })
    else { return [] }
    if let code = line.code {
      // One value with several spoken forms; a weight before the only one is the value's.
      if line.alternatives.count == 1 {
        let only = line.alternatives[0]
        return [Value(phrase: only.phrase, code: code, weight: only.weight)]
      }
      return [Value(phrase: .either(line.alternatives), code: code)]
    }
    var values: [Value] = []
    for alternative in line.alternatives {
      guard let words = alternative.phrase.plainWords else {
        report(
          .unexpected(
            found: "a value that is not plain words", expected: "a code, as in “-> code”"),
          TextPosition(line: content.number, column: content.text.startIndex + 1))
        continue
      }
      let code = words.joined(separator: " ")
      values.append(Value(phrase: alternative.phrase, code: code, weight: alternative.weight))
    }
    return values
  }

  // MARK: - Phrases

  private func parsedSlot(
    _ text: String, _ position: TextPosition
  ) throws(GrammarDiagnostic) -> Phrase {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard let name = parts.first, TemplateHeading.isName(name) else {
      throw GrammarDiagnostic(
        .unexpected(found: "{\(text)}", expected: "a slot such as {room}"), at: position)
    }
    let type = parts.count > 1 ? parts[1] : name
    if let known = slots[type] { return .slot(name, known) }
    do {
      if let builtIn = try SlotType(named: type) { return .slot(name, builtIn) }
    } catch {
      throw GrammarDiagnostic(error.kind, at: position)
    }
    throw GrammarDiagnostic(.undefinedSlot(type), at: position)
  }

  private mutating func parse(
    _ content: Line, slot: @escaping TemplateLineParser.SlotResolver
  ) -> TemplateLineParser.Line? {
    do throws(GrammarDiagnostic) {
      let tokens = try TemplateLexer.tokens(of: content.text, line: content.number)
      guard tokens.count > 1 else { return nil }
      var parser = TemplateLineParser(tokens, resolve: slot)
      let line = try parser.line()
      for use in parser.rules where !ruleNames.contains(use.name) {
        report(.undefinedRule(use.name), use.position)
      }
      return line
    } catch {
      report(error.kind, error.position)
      return nil
    }
  }

  private mutating func readPhrases() {
    let reader = self
    var parts: Set<JSGFCompiler.Part> = []
    for section in sections {
      guard let part = section.part else { continue }
      var alternatives: [Phrase.Alternative] = []
      for content in section.lines {
        let line = parse(content) { text, position throws(GrammarDiagnostic) in
          try reader.parsedSlot(text, position)
        }
        if let position = line?.codePosition {
          report(.unexpected(found: "“->”", expected: "the end of the line"), position)
        }
        alternatives += line?.alternatives ?? []
      }
      if !parts.insert(part).inserted { report(.duplicate(part.inWords), section.position) }
      let phrase = Phrase.either(alternatives)
      switch part {
      case .intent(let name):
        grammar.intents.append(.init(name: name, phrase: phrase, weight: section.weight))
      case .rule(let name): grammar.rules.append(.init(name: name, phrase: phrase))
      }
    }
  }
}

extension Phrase {
  /// The words of the phrase, if it has only words.
  fileprivate var plainWords: [String]? {
    let parts = if case .sequence(let parts) = self { parts } else { [self] }
    let words = parts.compactMap { part in
      if case .word(let text) = part { text } else { nil }
    }
    return words.count == parts.count ? words : nil
  }
}
