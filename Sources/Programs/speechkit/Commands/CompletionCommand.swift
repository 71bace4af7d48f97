import SpeechCommand

struct CompletionCommand: Command {
  static let about = CommandDeclaration(
    name: "completion",
    summary: "Write a completion script for a shell",
    discussion: """
      The script completes commands, options, and the values of options with a fixed set of values.
      """,
    examples: [
      "source <(speechkit completion bash)": "Enable completion in this shell",
      "speechkit completion fish > ~/.config/fish/completions/speechkit.fish":
        "Enable completion in fish permanently",
    ])

  @Argument("SHELL", .choices(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish.")
  var name: String

  private var shell: Shell {
    get throws(UsageError) {
      guard let shell = Shell(rawValue: name) else {
        throw UsageError("There is no completion for “\(name)”. Choose bash, zsh or fish.")
      }
      return shell
    }
  }

  func validate() throws { _ = try shell }

  func run(on terminal: Terminal) async throws {
    try await terminal.write(shell.script(for: CommandList.declarations))
  }
}
