#if Cloud
import AIServices
import Foundation
import SpeechKit

/// `speechkit credentials list`: shows which keys there are, and where.
struct ListCredentialsCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "credentials list",
    summary: "List the keys that there are, and where they come from",
    discussion: [
      "A line per key: the provider, the type, the place, whether it is used, and its name. A key is not "
        + "used when it has expired, or when another place that is asked earlier has one for the same "
        + "provider.",
      "With --json an array of objects with “provider”, “type”, “source”, “name”, “isUsed”, “isExpired” and, "
        + "where known, “updated” and “expires”.",
    ],
    examples: [
      .init("speechkit credentials list", "What there is"),
      .init("speechkit credentials list --json | jq -r '.[].provider'", "The providers only"),
    ],
    exits: [
      (.badData, "The file of keys is damaged."),
      (.noInput, "The file of keys is not safe from others."),
      (.unavailable, "The Secret Service does not answer as it should."),
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
      // What a place does not know is put into 1970.
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
      await terminal.note("There are no keys. `speechkit credentials set PROVIDER` keeps one.")
    }
    // All that could be found is listed by now, and the rest is a failure.
    if let failure = inventory.failures.first { throw failure.error }
  }
}
#endif
