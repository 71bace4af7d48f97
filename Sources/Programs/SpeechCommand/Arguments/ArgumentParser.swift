import SpeechText

/// Parses the command line of a command by its declaration.
///
/// It accepts `--name value`, `--name=value`, `-n value`, `-nvalue` and joined flags (`-ab`).
/// Everything after `--` is an argument, and so is a lone `-`. The last value of an option that is
/// given twice counts.
package struct ArgumentParser {
  private let declaration: CommandDeclaration
  private var result = ParsedArguments()
  private var positionals: [String] = []
  private var rest: ArraySlice<String>

  /// Parses the words after the name of the command. Names the option nearest to an unknown one.
  package static func parse(
    _ arguments: some Collection<String>, for declaration: CommandDeclaration
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(declaration, ArraySlice(arguments))
    do {
      return try parser.parse()
    } catch {
      throw UsageError(error.message, command: declaration.name)
    }
  }

  private init(_ declaration: CommandDeclaration, _ arguments: ArraySlice<String>) {
    self.declaration = declaration
    rest = arguments
  }

  private mutating func parse() throws(UsageError) -> ParsedArguments {
    while let argument = rest.popFirst() {
      if argument == "--" {
        positionals += rest
        break
      } else if argument.hasPrefix("--") {
        try parseLong(argument.dropFirst(2))
      } else if argument.hasPrefix("-"), argument != "-" {
        try parseShort(argument.dropFirst())
      } else {
        positionals.append(argument)
      }
    }
    // The help is shown even if the rest is wrong.
    if !result.asksForHelp {
      try checkPositionals()
      try takePositionals()
      let paths = result.inputs + result.outputs.map(\.path)
      if !paths.allSatisfy({ $0.hasPrefix("/") }) { try GivenArguments.checkFolder() }
      for output in result.outputs { try result.checkOutput(output.path, output.kind) }
    }
    return result
  }

  private mutating func parseLong(_ argument: Substring) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = declaration.allOptions.first(where: { $0.name == name }) else {
      throw unknown("--\(name)")
    }
    try take(option, attached: parts.count == 2 ? String(parts[1]) : nil, as: "--\(name)")
  }

  private mutating func parseShort(_ argument: Substring) throws(UsageError) {
    var letters = argument
    while let letter = letters.popFirst() {
      guard let option = declaration.allOptions.first(where: { $0.short == letter }) else {
        throw unknown("-\(letter)")
      }
      if option.valueName == nil {
        try take(option, attached: nil, as: "-\(letter)")
      } else {
        let attached = letters.first == "=" ? letters.dropFirst() : letters
        return try take(
          option, attached: letters.isEmpty ? nil : String(attached), as: "-\(letter)")
      }
    }
  }

  private mutating func take(
    _ option: OptionDeclaration, attached: String?, as spelling: String
  ) throws(UsageError) {
    guard let valueName = option.valueName else {
      guard attached == nil else { throw UsageError("\(spelling) takes no value") }
      return result.add(try option.parse(""), for: option)
    }
    var text = attached
    // A value may begin with a dash, as a text or a negative number does. An option of this command
    // in its place shows that the value was forgotten.
    if text == nil, let next = rest.first, !isOption(next) { text = rest.removeFirst() }
    guard let text else { throw UsageError("\(spelling) needs a value: \(valueName)") }
    result.add(try option.parse(text), for: option)
  }

  private func isOption(_ argument: String) -> Bool {
    let name = argument.prefix { $0 != "=" }
    return argument == "--"
      || declaration.allOptions.contains { $0.spellings.contains(String(name)) }
  }

  private func unknown(_ spelling: String) -> UsageError {
    let known = declaration.allOptions.flatMap(\.spellings)
    let nearest = NearestName.of(spelling, among: known).map { " Did you mean \($0)?" } ?? ""
    return UsageError("There is no option \(spelling).\(nearest)")
  }

  private func checkPositionals() throws(UsageError) {
    for (index, positional) in declaration.positionals.enumerated()
    where [.required, .oneOrMore].contains(positional.count) && positionals.count <= index {
      throw UsageError("\(positional.name) is missing")
    }
    guard declaration.positionals.last?.isRepeated != true else { return }
    guard positionals.count <= declaration.positionals.count else {
      throw UsageError(
        "“\(positionals[declaration.positionals.count])” is one argument too many. "
          + "Put text of several words in quotes.")
    }
  }

  /// Gives each argument without a name to its declaration.
  private mutating func takePositionals() throws(UsageError) {
    for (index, argument) in positionals.enumerated() {
      let last = declaration.positionals.count - 1
      let positional = declaration.positionals[min(index, last)]
      guard !argument.isEmpty || positional.hint != .input else {
        throw UsageError("\(positional.name) is empty. Give the name of a file.")
      }
      result.add(argument, for: positional)
    }
  }
}
