#if Cloud
import AIServices
import Foundation
import SpeechCommand
import SpeechKit

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

  private struct Row: Encodable {
    var provider: String
    var type: String
    var source: String
    var name: String
    var isUsed: Bool
    var isExpired: Bool
    var updated: String?
    var expires: String?

    init(_ item: CredentialInventory.Item) {
      let credential = item.credential
      provider = credential.providerID
      type = credential.type.rawValue
      source = item.source
      name = credential.name
      isExpired = credential.isExpired
      isUsed = item.isUsed && !isExpired
      // A place that does not know the time says 1970.
      updated =
        credential.updatedAt.timeIntervalSince1970 > 0
        ? credential.updatedAt.formatted(.iso8601) : nil
      expires = credential.expiresAt?.formatted(.iso8601)
    }

    var cells: [String] {
      [provider, type, source, isUsed ? "used" : isExpired ? "expired" : "not used", name]
    }
  }

  func run(on terminal: Terminal) async throws {
    let inventory = await AICredentialManager.shared.inventory()
    try Task.checkCancellation()
    let rows = inventory.items.map(Row.init)
    if isJSON {
      try await terminal.writeJSON(rows)
    } else {
      let table = TextTable(rows.map(\.cells), heading: ["PROVIDER", "TYPE", "PLACE", "", "NAME"])
      try await terminal.write(table.text)
    }
    if rows.isEmpty, inventory.failures.isEmpty {
      await terminal.note("There are no keys. `speechkit credentials set PROVIDER` stores one.")
    }
    // The keys that were found have been listed; the first failure decides the exit code.
    if let failure = inventory.failures.first { throw failure.error }
  }
}
#endif
