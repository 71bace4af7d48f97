#if Cloud
import AIServices
import SpeechCommand

struct ListCredentialsCommand: Command {
  static let about = CommandDeclaration(
    name: "credentials list",
    summary: "List the keys and their places",
    discussion: """
      Prints a line per key: the provider, the type, the place, whether it is used, and its name. A
      key is not used if it has expired, or if a place that is looked up earlier has one for the
      same provider.

      --json writes an array of objects with “provider”, “type”, “source”, “name”, “isUsed”,
      “isExpired” and, if known, “updated” and “expires”.
      """,
    examples: [
      "speechkit credentials list": "List all keys",
      "speechkit credentials list --json | jq -r '.[].provider'": "List the providers only",
    ],
    exits: [
      .badData: "The file of keys is damaged.",
      .noInput: "The file of keys can be read by others.",
      .unavailable: "The Secret Service does not answer properly.",
    ])

  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let inventory = await AICredentialManager.shared.inventory()
    try Task.checkCancellation()
    let table = TextTable(
      inventory.items.map(Self.cells), heading: ["PROVIDER", "TYPE", "PLACE", "", "NAME"])
    try await terminal.write(
      table.text, json: inventory.items.map(Self.record), isJSON: isJSON)
    if inventory.items.isEmpty, inventory.failures.isEmpty {
      await terminal.note("There are no keys. `speechkit credentials set PROVIDER` stores one.")
    }
    // The keys that were found have been listed; the first failure decides the exit code.
    if let failure = inventory.failures.first { throw failure.error }
  }

  private static func cells(_ item: CredentialInventory.Item) -> [String] {
    let credential = item.credential
    return [
      credential.providerID, credential.type.rawValue, item.source,
      credential.isExpired ? "expired" : item.isUsed ? "used" : "not used", credential.name,
    ]
  }

  private static func record(_ item: CredentialInventory.Item) -> JSONRecord {
    let credential = item.credential
    // A place that does not know the time says 1970.
    let updated = credential.updatedAt.timeIntervalSince1970 > 0 ? credential.updatedAt : nil
    return [
      "provider": credential.providerID, "type": credential.type.rawValue, "source": item.source,
      "name": credential.name, "isUsed": item.isUsed && !credential.isExpired,
      "isExpired": credential.isExpired, "updated": updated?.formatted(.iso8601),
      "expires": credential.expiresAt?.formatted(.iso8601),
    ]
  }
}
#endif
