#if Cloud
import AIServices
import SpeechCommand
import SpeechText

struct SetCredentialCommand: Command {
  static let about = CommandDeclaration(
    name: "credentials set",
    summary: "Store a key, replacing the previous one",
    discussion: """
      Asks for the key, which is not shown while you type. If standard input is not a terminal, the
      key is read from there.

      The key is stored in the desktop's Secret Service if it runs and can be unlocked, and
      otherwise in a file that only you may read; the command reports which. A locked keyring that
      has another key for the service is not bypassed, because that key would be used instead of the
      new one later.
      """,
    examples: [
      "speechkit credentials set openai": "Type or paste the key",
      "pass show openai | speechkit credentials set openai": "Read it from another program",
      "speechkit credentials set openai --store file": "Store it in the file in any case",
    ],
    exits: [
      .badData: "The key is not valid: it is empty or contains control characters.",
      .noInput: "The file of keys can be read by others.",
      .unavailable: "The keyring is locked and has another key, or is not available.",
      .cannotCreate: "The file of keys cannot be written.",
    ])

  var service = ProviderArgument()
  @Option(
    "--store", as: .choice("PLACE"),
    help: "The place to store it. Default: the first that is available.")
  var store: Store?

  /// The places where keys can be stored.
  enum Store: String, CaseIterable, Sendable {
    case secretService = "secret-service"
    case file

    var store: any CredentialStore {
      switch self {
      case .secretService: SecretServiceStore()
      case .file: FileCredentialStore()
      }
    }
  }

  func run(on terminal: Terminal) async throws {
    let providerID = try service.id
    let key = try await SecretInput().read(prompt: "Key for \(providerID): ")
    defer { key.clear() }
    let manager = store.map { AICredentialManager(sources: [$0.store]) } ?? .shared
    let credential = AICredential(
      providerID: providerID, type: .apiKey, name: "Key for \(providerID)")
    let place = try await manager.store(credential: credential, value: key)
    await terminal.note("The key for \(providerID) is stored (\(place)).")
    if let warning = AICredentialValidator.warning(for: key, providerID: providerID) {
      await terminal.note("Note: \(warning)")
    }
    await noteOthers(of: providerID, place, on: terminal)
  }

  /// Reports a key in another place that is used instead of this one.
  private func noteOthers(of providerID: String, _ place: String, on terminal: Terminal) async {
    let used = await AICredentialManager.shared.inventory(of: providerID).usedKey
    if let other = used, other.source != place {
      await terminal.note(
        "Note: another key takes precedence (\(other.source): \(other.credential.name)).")
    }
    if let meant = NearestName.of(providerID, among: CredentialsCommands.knownProviders),
      meant != providerID
    {
      await terminal.note("Note: there is also a service “\(meant)”.")
    }
  }
}
#endif
