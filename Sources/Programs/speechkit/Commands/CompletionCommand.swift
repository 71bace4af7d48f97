/// `speechkit completion`: teaches a shell to complete.
struct CompletionCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "completion",
    summary: "Write a completion script for a shell",
    discussion: [
      "The script offers commands, options, and the values of options that have a few only."
    ],
    examples: [
      .init("source <(speechkit completion bash)", "Complete in this shell"),
      .init(
        "speechkit completion fish > ~/.config/fish/completions/speechkit.fish",
        "Complete in every fish from now on"),
    ])

  @Argument("SHELL", .choices(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish.")
  var name: String

  private var shell: Shell {
    get throws(UsageError) {
      guard let shell = Shell(rawValue: name) else {
        throw UsageError("There is no completion for “\(name)”, but for bash, zsh and fish.")
      }
      return shell
    }
  }

  func validate() throws { _ = try shell }

  func run(on terminal: Terminal) async throws {
    try await terminal.write(shell.script(for: CommandList.declarations))
  }
}
