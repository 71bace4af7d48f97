/// `speechkit completion`: teaches a shell to complete.
struct CompletionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "completion",
    summary: "Write a completion script for a shell",
    discussion: [
      "The script offers commands, options, and the values of options that have a few only."
    ],
    positionals: [
      PositionalDeclaration(
        name: "SHELL", count: .required, help: "bash, zsh or fish.",
        hint: .choices(Shell.allCases.map(\.rawValue)))
    ],
    examples: [
      .init("source <(speechkit completion bash)", "Complete in this shell"),
      .init(
        "speechkit completion fish > ~/.config/fish/completions/speechkit.fish",
        "Complete in every fish from now on"),
    ])

  let shell: Shell

  init(_ arguments: ParsedArguments) throws {
    let name = arguments.positionals[0]
    guard let shell = Shell(rawValue: name) else {
      throw UsageError("There is no completion for “\(name)”, but for bash, zsh and fish.")
    }
    self.shell = shell
  }

  func run(on terminal: Terminal) async throws {
    try await terminal.write(shell.script(for: CommandLineTool.declarations))
  }
}
