#if Cloud
import AIServices
import SpeechCommand

struct TestCredentialCommand: Command {
  static let about = CommandDeclaration(
    name: "credentials test",
    summary: "Check that a service accepts the key",
    discussion: """
      Sends the key that would be used to its service, in a request that costs nothing.

      --json writes an object with “provider”, “source” and “status” (accepted, refused,
      unreachable, or unknown if there is no check for the service), and “detail” if there is more
      to report.
      """,
    examples: ["speechkit credentials test openai": "Check the key for OpenAI"],
    exits: [
      .success: "The service accepted the key.",
      .badData: "The key is not valid, or the file of keys is damaged.",
      .noInput: "The file of keys can be read by others.",
      .unavailable:
        "There is no key, the service refused it or did not answer, or there is no check for it.",
    ])

  var service = ProviderArgument()
  @Flag("--json", help: "Write JSON.") var isJSON
  var manager = AICredentialManager.shared
  var checks = CredentialChecks.standard

  private struct Outcome: Encodable {
    enum Status: String, Encodable {
      case accepted
      case refused
      case unreachable
      case unknown
    }

    var provider: String
    var source: String?
    var status: Status
    var detail: String?

    /// The outcome as a sentence.
    var text: String {
      let from = source.map { " (\($0))" } ?? ""
      return switch status {
      case .accepted: "\(provider) accepts the key\(from)."
      case .refused: "\(provider) refuses the key\(from)."
      case .unreachable: "The key for \(provider)\(from) could not be checked."
      case .unknown:
        "There is a key for \(provider)\(from). It was not checked: there is no check for this "
          + "service."
      }
    }
  }

  func run(on terminal: Terminal) async throws {
    let providerID = try service.id
    let key = try await manager.retrieve(providerID: providerID, type: .apiKey)
    defer { key.clear() }
    let source = await manager.inventory(of: providerID).usedKey?.source
    var outcome = Outcome(provider: providerID, source: source, status: .unknown)
    if let check = checks.check(for: providerID) {
      do {
        try await check(key)
        outcome.status = .accepted
      } catch let error as CancellationError {
        throw error
      } catch {
        outcome.status = error.isRefusal ? .refused : .unreachable
        outcome.detail = error.localizedDescription
      }
    }
    if isJSON {
      try await terminal.writeJSON(outcome)
    } else if outcome.status == .accepted {
      try await terminal.writeLine(outcome.text)
    }
    guard outcome.status == .accepted else {
      let words = [outcome.text, outcome.detail].compactMap { $0 }.joined(separator: " ")
      throw CommandFailure(.unavailable, isJSON ? nil : words)
    }
  }
}

extension Error {
  /// True if a service refused a key.
  fileprivate var isRefusal: Bool {
    switch self as? AIServiceError {
    case .authenticationFailed?, .invalidAPIKey?: true
    default: false
    }
  }
}
#endif
