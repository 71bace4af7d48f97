import SpeechText
import Testing

@testable import speechkit

struct ArgumentParserTests {
  private static let loud = Flag("loud", short: "l", help: "Loud.")
  private static let quick = Flag("quick", short: "q", help: "Quick.")
  private static let output = ValueOption<String>(
    "output", short: "o", value: "FILE", help: "Where to.")
  private static let rate = ValueOption<Double>("rate", value: "0…1", in: 0...1, help: "Pace.")
  private static let shell = ValueOption<Shell>("shell", value: "SHELL", help: "Which.")

  private static let declaration = CommandDeclaration(
    name: "test", summary: "Test", discussion: [],
    positionals: [PositionalDeclaration(name: "FILE", count: .oneOrMore, help: "Files.")],
    options: [
      loud.declaration, quick.declaration, output.declaration, rate.declaration,
      shell.declaration,
    ])

  private func parse(_ line: String) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init), for: Self.declaration)
  }

  @Test(arguments: [
    "--output x a", "--output=x a", "-o x a", "-ox a", "-o=x a", "a --output x", "-l -o x a",
    "-lo x a", "-lqox a", "-o y -o x a",
  ])
  func `a value is found however it is written`(line: String) throws {
    let arguments = try parse(line)
    #expect(arguments[Self.output] == "x")
    #expect(arguments.positionals == ["a"])
  }

  @Test(arguments: [
    ("-- --loud -o", ["--loud", "-o"]), ("- a", ["-", "a"]), ("a -- -", ["a", "-"]),
    ("-l a --", ["a"]), ("a b c", ["a", "b", "c"]),
  ])
  func `what is no option is an argument`(line: String, positionals: [String]) throws {
    #expect(try parse(line).positionals == positionals)
  }

  @Test func `flags may be joined`() throws {
    let arguments = try parse("-lq a")
    #expect(arguments[Self.loud])
    #expect(arguments[Self.quick])
    #expect(try !parse("-l a")[Self.quick])
  }

  @Test func `an empty value and a value that begins with a dash are values`() throws {
    var declaration = Self.declaration
    declaration.positionals[0].hint = .nothing
    let arguments = try ArgumentParser.parse(
      ["--output=-3", "--rate", "0.5", ""], for: declaration)
    #expect(arguments[Self.output] == "-3")
    #expect(arguments[Self.rate] == 0.5)
    #expect(arguments.positionals == [""])
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
  func `what cannot be understood is named`(line: String, message: String) throws {
    let error = try #require(throws: UsageError.self) { _ = try parse(line) }
    #expect(error.message.hasPrefix(message), "\(error.message)")
    #expect(error.command == "test")
  }

  @Test func `an argument too many is refused`() throws {
    var declaration = Self.declaration
    declaration.positionals = [PositionalDeclaration(name: "TEXT", count: .optional, help: "")]
    #expect(try ArgumentParser.parse([], for: declaration).positionals.isEmpty)
    let error = try #require(throws: UsageError.self) {
      _ = try ArgumentParser.parse(["hello", "world"], for: declaration)
    }
    #expect(error.message.contains("“world”"))
  }

  @Test func `help is had with the rest wrong`() throws {
    #expect(try parse("--help")[CommandDeclaration.help])
    #expect(try parse("-h --loud")[CommandDeclaration.help])
  }

  @Test(arguments: [
    ("say", "say", 0), ("sya", "say", 1), ("sai", "say", 1), ("", "say", 3), ("says", "say", 1),
  ])
  func `the distance of names counts changes and swaps`(one: String, other: String, count: Int) {
    #expect(NearestName.distance(one, other) == count)
    #expect(NearestName.distance(other, one) == count)
  }

  @Test func `a name is suggested only when it is near`() {
    let names = ["transcribe", "say", "listen", "demo"]
    #expect(NearestName.of("trancsribe", among: names) == "transcribe")
    #expect(NearestName.of("trans", among: names) == "transcribe")
    #expect(NearestName.of("Lisen", among: names) == "listen")
    #expect(NearestName.of("banana", among: names) == nil)
    #expect(NearestName.of("x", among: []) == nil)
  }
}
