import Foundation

/// Joins a grammar with its imports, which are searched in a few folders and nowhere else.
struct JSGFLinker {
  private let folders: [URL]
  private var sources: [String: JSGFSource] = [:]
  /// The grammars being read, each imported by the one before.
  private var path: [String] = []
  private var order: [String] = []

  init(folders: [URL]) {
    self.folders = folders
  }

  /// The grammar with all rules that it needs.
  func grammar(_ main: JSGFSource) throws(JSGFError) -> JSGFGrammar {
    var linker = self
    return try linker.link(main)
  }

  private mutating func link(_ main: JSGFSource) throws(JSGFError) -> JSGFGrammar {
    try load(importsOf: main)
    var rules = try Scope(main, prefix: "", sources: sources).rules()
    var imported: [String: JSGFGrammar.Rule] = [:]
    for name in order {
      guard let source = sources[name] else { continue }
      for rule in try Scope(source, prefix: name + ".", sources: sources).rules() {
        if imported.updateValue(rule, forKey: rule.name) != nil {
          throw GrammarDiagnostic(.duplicateRule(rule.name), at: rule.position, in: rule.file)
        }
      }
    }
    // Unused rules are left out, so that the dictionary need not have their words.
    var waiting = rules.flatMap(\.phrase.usedRules)
    while let name = waiting.popLast() {
      guard let rule = imported.removeValue(forKey: name) else { continue }
      rules.append(rule)
      waiting += rule.phrase.usedRules
    }
    return JSGFGrammar(name: main.name, rules: rules)
  }

  // MARK: - Files

  private mutating func load(importsOf source: JSGFSource) throws(JSGFError) {
    path.append(source.name)
    for wanted in source.imports {
      func refused(_ kind: GrammarDiagnostic.Kind) -> GrammarDiagnostic {
        GrammarDiagnostic(kind, at: wanted.position, in: source.file)
      }
      guard !folders.isEmpty else { throw refused(.importRefused(wanted.name)) }
      let name = wanted.grammarName
      guard !path.contains(name) else { throw refused(.importCycle(wanted.name)) }
      if sources[name] == nil {
        guard sources.count < JSGFLimits.files else {
          throw refused(.tooLarge("it imports more than \(JSGFLimits.files) grammars"))
        }
        guard let found = try find(name) else { throw refused(.importNotFound(wanted.name)) }
        sources[name] = found
        order.append(name)
        try load(importsOf: found)
      }
      guard let rules = sources[name]?.rules.filter(\.isPublic),
        rules.contains(where: { wanted.ruleName == "*" || wanted.ruleName == $0.name })
      else { throw refused(.importNotFound(wanted.name)) }
    }
    path.removeLast()
  }

  /// The grammar of that name, if a file declares it.
  private func find(_ name: String) throws(JSGFError) -> JSGFSource? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isPlain) }), let simple = parts.last
    else { return nil }
    for folder in folders {
      for candidate in Set([name, String(simple)]).sorted(by: { $0.count > $1.count }) {
        for ending in ["jsgf", "gram"] {
          let file = folder.appendingPathComponent("\(candidate).\(ending)")
          guard isOwn(file, in: folder) else { continue }
          let source = try JSGFSource(JSGFSource.text(of: file), file: file.lastPathComponent)
          if source.name == name { return source }
        }
      }
    }
    return nil
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "-"
  }

  /// True for a regular file in the folder itself; a link may lead elsewhere.
  private func isOwn(_ file: URL, in folder: URL) -> Bool {
    let real = file.resolvingSymlinksInPath()
    guard
      real.deletingLastPathComponent().path == folder.resolvingSymlinksInPath().standardized.path
    else { return false }
    let kind = try? FileManager.default.attributesOfItem(atPath: real.path)[.type]
    return kind as? FileAttributeType == .typeRegular
  }

  // MARK: - Names

  /// The meaning of names in one grammar.
  private struct Scope {
    let source: JSGFSource
    /// The prefix of its rules' full names.
    let prefix: String
    private var own: Set<String>
    /// The full names of imported rules, by each way to refer to them.
    private var imported: [String: Set<String>] = [:]

    init(_ source: JSGFSource, prefix: String, sources: [String: JSGFSource]) {
      self.source = source
      self.prefix = prefix
      own = Set(source.rules.map(\.name))
      for wanted in source.imports {
        let grammar = wanted.grammarName
        let simple = grammar.split(separator: ".").last.map(String.init) ?? grammar
        for rule in sources[grammar]?.rules ?? []
        where rule.isPublic && (wanted.ruleName == "*" || wanted.ruleName == rule.name) {
          let full = "\(grammar).\(rule.name)"
          for name in [full, "\(simple).\(rule.name)", rule.name] {
            imported[name, default: []].insert(full)
          }
        }
      }
    }

    func rules() throws(JSGFError) -> [JSGFGrammar.Rule] {
      var rules: [JSGFGrammar.Rule] = []
      for var rule in source.rules {
        var names: [String: String] = [:]
        for (index, use) in rule.uses.enumerated() {
          let full = try full(use.text, use.position)
          names[use.text] = full
          rule.uses[index].text = full
        }
        rule.phrase = rule.phrase.renamingRules(names)
        if !prefix.isEmpty {
          rule.isPublic = false
          rule.file = source.file
        }
        rule.name = prefix + rule.name
        rules.append(rule)
      }
      return rules
    }

    private func full(_ name: String, _ position: TextPosition) throws(JSGFError) -> String {
      if own.contains(name) { return prefix + name }
      if let dot = name.lastIndex(of: ".") {
        let last = String(name[name.index(after: dot)...])
        let grammar = name[..<dot]
        if own.contains(last), source.name == grammar || source.name.hasSuffix(".\(grammar)") {
          return prefix + last
        }
      }
      let candidates = imported[name] ?? []
      if candidates.count > 1 {
        throw GrammarDiagnostic(.ambiguousRule(name), at: position, in: source.file)
      }
      // Unknown names are left to the checker, which reports all of them.
      guard let found = candidates.first else { return name }
      return found
    }
  }
}

extension Phrase {
  /// The phrase with other names for the rules that it uses.
  fileprivate func renamingRules(_ names: [String: String]) -> Phrase {
    if case .rule(let name) = self { return .rule(names[name, default: name]) }
    return mapParts { $0.renamingRules(names) }
  }
}

extension JSGFSource.Import {
  /// The part before the last dot.
  var grammarName: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? "" }

  /// The part after the last dot: a rule's name, or `*`.
  var ruleName: String {
    name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
