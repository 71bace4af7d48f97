import SpeechCommand
import SpeechDemo

/// All commands, in the order of the help.
enum CommandList {
  static let all: [CommandNode] =
    [
      .command(DemoCommand<CurrentCatalog>.self), .command(SayCommand.self),
      .command(VoicesCommand.self),
      .command(ListenCommand.self), .command(TranscribeCommand.self), .command(DevicesCommand.self),
      .command(LoopCommand.self), .command(ReplayCommand.self), .command(TestCommand.self),
      .command(LabCommand.self),
    ] + services + [
      GrammarCommands.group, KeyPhraseCommands.group, WordsCommands.group, ModelCommands.group,
      EnginesCommands.group, .command(DoctorCommand.self),
      .command(CompletionCommand.self), .command(VersionCommand.self),
    ]

  /// The commands that need services.
  private static var services: [CommandNode] {
    #if Cloud
    [
      .command(SetupCommand.self), .command(RunCommand.self), ActionsCommands.group,
      ConnectorsCommands.group, CredentialsCommands.group, .command(ConsoleCommand.self),
    ]
    #else
    []
    #endif
  }

  static var declarations: [CommandDeclaration] { all.map(\.declaration) }
}
