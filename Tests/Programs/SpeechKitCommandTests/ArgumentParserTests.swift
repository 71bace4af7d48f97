import Testing

@testable import SpeechCommand
@testable import speechkit

/// A command whose only purpose is its options.
private struct SampleCommand: Command {
  static let about = CommandDeclaration(name: "test", summary: "Test", discussion: "")

  @Flag("--loud", "-l", help: "Loud.") var isLoud
  @Flag("--quick", "-q", help: "Quick.") var isQuick
  @Option("--output", "-o", as: .text("FILE"), help: "Where to.") var output: String?
  var more = SampleOptions()
  @Argument("FILE", .input, isRequired: true, help: "Files.") var files: [String]

  func run(on terminal: Terminal) {}
}

private struct SampleOptions: OptionGroup {
  @Option("--rate", as: .number("0…1", in: 0...1), help: "Pace.") var rate = 0.5
  @Option("--shell", as: .choice("SHELL"), help: "Which.") var shells: [Shell]

  func validate() throws {
    guard rate < 1 || shells.isEmpty else { throw UsageError("--shell is for slow ones.") }
  }
}

/// A command with an optional argument.
private struct GreetCommand: Command {
  static let about = CommandDeclaration(name: "greet", summary: "Greet", discussion: "")

  @Option("--output", as: .text("FILE"), help: "Where to.") var output: String?
  @Argument("TEXT", help: "What to say.") var text: String?

  func run(on terminal: Terminal) {}
}

struct ArgumentParserTests {
  private func parse(_ line: String) throws -> SampleCommand {
    try SampleCommand.parse(line.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    "--output x a", "--output=x a", "-o x a", "-ox a", "-o=x a", "a --output x", "-l -o x a",
    "-lo x a", "-lqox a", "-o y -o x a",
  ])
  func `a value is parsed in every spelling`(line: String) throws {
    let command = try parse(line)
    #expect(command.output == "x")
    #expect(command.files == ["a"])
  }

  @Test(arguments: [
    ("-- --loud -o", ["--loud", "-o"]), ("- a", ["-", "a"]), ("a -- -", ["a", "-"]),
    ("-l a --", ["a"]), ("a b c", ["a", "b", "c"]),
  ])
  func `words that are not options are arguments`(line: String, positionals: [String]) throws {
    #expect(try parse(line).files == positionals)
  }

  @Test func `flags can be joined`() throws {
    let command = try parse("-lq a")
    #expect(command.isLoud)
    #expect(command.isQuick)
    #expect(try !parse("-l a").isQuick)
  }

  @Test func `an empty value and a value that begins with a dash are values`() throws {
    let command = try GreetCommand.parse(["--output=-3", ""])
    #expect(command.output == "-3")
    #expect(command.text == "")
  }

  @Test func `options have their defaults, and repeated ones all their values`() throws {
    #expect(try parse("a").more.rate == 0.5)
    #expect(try parse("a").output == nil)
    #expect(try parse("a --rate 0.25").more.rate == 0.25)
    #expect(try parse("--shell fish a --shell bash").more.shells == [.fish, .bash])
    #expect(try !parse("a").more.isAnyGiven)
    #expect(try parse("a --shell zsh").more.isAnyGiven)
  }

  @Test func `a command declares what its properties and groups declare, in their order`() {
    let declaration = SampleCommand.declaration
    #expect(declaration.options.map(\.name) == ["loud", "quick", "output", "rate", "shell"])
    #expect(declaration.positionals.map(\.usage) == ["FILE…"])
    #expect(GreetCommand.declaration.positionals.map(\.usage) == ["[TEXT]"])
  }

  @Test func `groups are validated`() {
    let error = #expect(throws: UsageError.self) { try parse("a --rate 1 --shell zsh") }
    #expect(error?.message == "--shell is for slow ones.")
  }

  @Test(arguments: [
    ("--lout a", "There is no option --lout. Did you mean --loud?"),
    ("--outptu x a", "There is no option --outptu. Did you mean --output?"),
    ("--out x a", "There is no option --out. Did you mean --output?"),
    ("--xyzzy a", "There is no option --xyzzy."),
    ("-x a", "There is no option -x."),
    ("--loud=yes a", "--loud takes no value"),
    ("a --output", "--output needs a value: FILE"),
    ("a -o --loud", "-o needs a value: FILE"),
    ("--output= a", "--output needs a value that is not empty"),
    ("--rate 2 a", "--rate takes a number from 0 to 1, not “2”"),
    ("--rate nan a", "--rate takes a number from 0 to 1, not “nan”"),
    ("--rate fast a", "--rate takes a number from 0 to 1, not “fast”"),
    ("--shell bsah a", "--shell takes bash, zsh, fish, not “bsah”. Did you mean “bash”?"),
    ("--loud", "FILE is missing"),
  ])
  func `mistakes are reported with the option or argument`(line: String, message: String) throws {
    let error = try #require(throws: UsageError.self) { _ = try parse(line) }
    #expect(error.message.hasPrefix(message), "\(error.message)")
    #expect(error.command == "test")
  }

  @Test func `an extra argument is refused`() throws {
    #expect(try GreetCommand.parse([]).text == nil)
    let error = try #require(throws: UsageError.self) {
      _ = try GreetCommand.parse(["hello", "world"])
    }
    #expect(error.message.contains("“world”"))
  }

  @Test(arguments: [["--help"], ["-h", "--loud"]])
  func `help is shown despite other mistakes`(arguments: [String]) throws {
    let parsed = try ArgumentParser.parse(arguments, for: SampleCommand.declaration)
    #expect(parsed.asksForHelp)
  }
}
