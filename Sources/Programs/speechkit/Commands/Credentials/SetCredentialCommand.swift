#if Cloud
import AIServices
import SpeechKit
import SpeechText

/// `speechkit credentials set`: keeps a key.
struct SetCredentialCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "credentials set",
    summary: "Keep a key, in the place of the one before",
    discussion: [
      "Asks for the key, which does not appear while it is typed; where standard input is no terminal, the "
        + "key is read from there.",
      "It goes to the desktop's Secret Service where that runs and opens, and otherwise to a file that only "
        + "you may read; the answer says where. A locked keyring with another key for the same is not passed "
        + "over, because that key would go before this one later.",
    ],
    examples: [
      .init("speechkit credentials set openai", "Type or paste the key"),
      .init("pass show openai | speechkit credentials set openai", "Take it from another program"),
      .init("speechkit credentials set openai --store file", "Keep it in the file in any case"),
    ],
    exits: [
      (.badData, "That is no key: it is empty, or has control characters in it."),
      (.noInput, "The file of keys is not safe from others."),
      (.unavailable, "The place for keys is locked and has another key, or is not there."),
      (.cannotCreate, "The file of keys cannot be written."),
    ])

  var service = ProviderArgument()
  @Option("--store", as: .choice("PLACE"), help: "Where to keep it, whatever else is there.")
  var store: Store?

  /// Where keys can be kept.
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
    await terminal.note("The key for \(providerID) is kept (\(place)).")
    if let warning = AICredentialValidator.warning(for: key, providerID: providerID) {
      await terminal.note("Note: \(warning)")
    }
    await noteOthers(of: providerID, place, on: terminal)
  }

  /// Tells of a key elsewhere that is used in the place of this one.
  private func noteOthers(of providerID: String, _ place: String, on terminal: Terminal) async {
    let inventory = await AICredentialManager.shared.inventory(of: providerID)
    if let other = inventory.items.first(where: { $0.isUsed && $0.credential.type == .apiKey }),
      other.source != place
    {
      await terminal.note(
        "Note: another key goes before it (\(other.source): \(other.credential.name)).")
    }
    if let meant = NearestName.of(providerID, among: CredentialsCommands.knownProviders),
      meant != providerID
    {
      await terminal.note("Note: there is also a service “\(meant)”.")
    }
  }
}
#endif
