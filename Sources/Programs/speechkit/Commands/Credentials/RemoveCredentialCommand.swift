#if Cloud
import AIServices
import SpeechCommand

struct RemoveCredentialCommand: Command {
  static let about = CommandDeclaration(
    name: "credentials remove",
    summary: "Remove a key",
    discussion: """
      Removes the key from the Secret Service and from the file. A key from systemd or an
      environment variable has to be removed there.
      """,
    examples: ["speechkit credentials remove openai": "Remove the key for OpenAI"],
    exits: [
      .badData: "The file of keys is damaged.",
      .noInput: "The file of keys can be read by others.",
      .unavailable: "There is no such key, or it is in a place that speechkit does not change.",
      .cannotCreate: "The file of keys cannot be written.",
    ])

  var service = ProviderArgument()

  func run(on terminal: Terminal) async throws {
    let manager = AICredentialManager.shared
    let providerID = try service.id
    try await manager.delete(providerID: providerID, type: .apiKey)
    await terminal.note("The key for \(providerID) is removed.")
    if let other = await manager.inventory(of: providerID).usedKey {
      await terminal.note(
        "Note: there is still one elsewhere (\(other.source): \(other.credential.name)).")
    }
  }
}
#endif
