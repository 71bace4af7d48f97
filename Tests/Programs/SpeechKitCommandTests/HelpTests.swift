import SpeechText
import Testing

@testable import SpeechCommand
@testable import speechkit

struct HelpTests {
  /// All commands and groups.
  private static let everything = CommandList.declarations.flatMap { declaration in
    declaration.subcommands.isEmpty ? [declaration] : [declaration] + declaration.leaves
  }

  @Test(arguments: everything.map(\.name))
  func `the help of a command lists its options, arguments and examples`(name: String) async throws
  {
    let declaration = try #require(Self.everything.first { $0.name == name })
    let words = name.split(separator: " ").map(String.init)
    let shown = try await Tool(words + ["--help"]).run()
    #expect(shown.status == 0)
    #expect(shown.errors.isEmpty)
    for option in declaration.allOptions {
      #expect(shown.text.contains("--\(option.name)"))
    }
    for subcommand in declaration.subcommands {
      #expect(shown.text.contains("\n  \(subcommand.word) "))
    }
    for positional in declaration.positionals { #expect(shown.text.contains(positional.usage)) }
    #expect(!declaration.examples.isEmpty)
    #expect(shown.text.contains("Exit codes:"))
    for (status, _) in declaration.exits { #expect(shown.text.contains("\n  \(status.rawValue)")) }
    #expect(shown.lines.filter { $0.count > 80 && !$0.hasPrefix("  speechkit") }.isEmpty)
    #expect(try await Tool(["help"] + words).run().text == shown.text)
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func `the help of the program lists all commands and exit codes`(arguments: [String]) async throws
  {
    let shown = try await Tool(arguments).run()
    #expect(shown.status == 0)
    for declaration in CommandList.declarations {
      #expect(shown.text.contains("\n  \(declaration.name) "))
    }
    for status in ExitStatus.allCases { #expect(shown.text.contains("\n  \(status.rawValue)")) }
  }

  @Test func `option names and letters are unambiguous`() {
    for declaration in Self.everything {
      let spellings = declaration.allOptions.flatMap(\.spellings)
      #expect(Set(spellings).count == spellings.count, "\(declaration.name)")
    }
  }

  @Test(arguments: [
    ([], "No command was given."),
    (["trancribe"], "There is no command “trancribe”. Did you mean “transcribe”?"),
    (["--voice", "x"], "There is no option --voice before a command."),
    (["say", "--voise", "x", "hi"], "There is no option --voise. Did you mean --voice?"),
    (["help", "nothing"], "There is no command “nothing”."),
    (["words"], "“words” needs one of these commands: explain, set, remove, list."),
    (["words", "lst"], "There is no command “words lst”. Did you mean “list”?"),
    (["words", "--json"], "There is no option --json before a command."),
    (["words", "set"], "WORD is missing"),
    (["help", "words", "x"], "There is no command “words x”."),
  ])
  func `a mistake in the command line ends with 64 and a hint to the help`(
    arguments: [String], message: String
  ) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("speechkit: \(message)"))
    #expect(outcome.errors.contains("--help"))
  }

  @Test func `the version is printed in three ways`() async throws {
    let plain = try await Tool("version").run()
    #expect(plain.text == "speechkit \(ToolkitVersion.current)\n")
    #expect(try await Tool("--version").run().text == plain.text)
    let json = try await Tool("version", "--json").run()
    #expect(json.text == "{\"version\":\"\(ToolkitVersion.current)\"}\n")
  }
}
