#if Cloud
import AIServices
import SpeechCommand

enum CredentialsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "credentials",
      summary: "Manage the keys of services",
      discussion: """
        Keys are looked up in this order: systemd's credentials ($CREDENTIALS_DIRECTORY),
        environment variables (OPENAI_API_KEY), the desktop's Secret Service, and a file that only
        you may read (speechkit/credentials in $XDG_DATA_HOME or ~/.local/share).

        Keys are never shown, and never taken from an argument, where other programs could read
        them.
        """,
      examples: [
        "speechkit credentials set openai": "Enter a key and store it",
        "speechkit credentials list": "List the stored keys and their places",
      ]),
    [
      .command(SetCredentialCommand.self), .command(ListCredentialsCommand.self),
      .command(RemoveCredentialCommand.self), .command(TestCredentialCommand.self),
    ])

  /// The services for completion; other names are accepted as well.
  static let knownProviders = ["anthropic", "elevenlabs", "openai"]
}

extension CredentialInventory {
  /// The API key that is used.
  var usedKey: Item? { items.first { $0.isUsed && $0.credential.type == .apiKey } }
}

struct ProviderArgument: OptionGroup {
  @Argument(
    "PROVIDER", .choices(CredentialsCommands.knownProviders),
    help: "The service: openai, anthropic, elevenlabs, …")
  var name: String

  /// The name, if it can be that of a service.
  var id: String {
    get throws(UsageError) {
      try UsageError.reporting { try CredentialID(providerID: name, type: .apiKey).providerID }
    }
  }

  func validate() throws { _ = try id }
}
#endif
