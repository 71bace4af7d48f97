#if Cloud
import AIServices
import SpeechKit

/// `speechkit credentials`: the keys of services.
enum CredentialsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "credentials",
      summary: "Keep the keys of services",
      discussion: [
        "Keys are looked for in this order: systemd's credentials ($CREDENTIALS_DIRECTORY), environment "
          + "variables (OPENAI_API_KEY), the desktop's Secret Service, and a file that only you may read "
          + "(speechkit/credentials in $XDG_DATA_HOME or ~/.local/share).",
        "No key is ever shown, nor taken from an argument, where other programs could read it.",
      ],
      examples: [
        .init("speechkit credentials set openai", "Ask for a key, and keep it"),
        .init("speechkit credentials list", "See which keys there are, and where"),
      ]),
    [
      .command(SetCredentialCommand.self), .command(ListCredentialsCommand.self),
      .command(RemoveCredentialCommand.self), .command(TestCredentialCommand.self),
    ])

  /// Those that are offered; any other name may be given as well.
  static let knownProviders = ["anthropic", "elevenlabs", "openai"]
}

/// The service whose key a command is about.
struct ProviderArgument: OptionGroup {
  @Argument(
    "PROVIDER", .choices(CredentialsCommands.knownProviders),
    help: "The service: openai, anthropic, elevenlabs, …")
  var name: String

  /// The name, checked.
  ///
  /// - Throws: `UsageError` if it cannot be the name of a service.
  var id: String {
    get throws(UsageError) {
      do {
        return try CredentialID(providerID: name, type: .apiKey).providerID
      } catch {
        throw UsageError(error.localizedDescription)
      }
    }
  }

  func validate() throws { _ = try id }
}
#endif
