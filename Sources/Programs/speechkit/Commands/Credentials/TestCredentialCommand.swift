#if Cloud
import AIServices
import SpeechKit

/// `speechkit credentials test`: asks a service whether it takes the key.
struct TestCredentialCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "credentials test",
    summary: "Ask a service whether it takes the key",
    discussion: [
      "Sends the key that would be used to the service it is for, in a request that costs nothing.",
      "With --json an object with “provider”, “source” and “status” (accepted, refused, unreachable, or "
        + "unknown where nobody knows how to ask), and “detail” where there is more to say.",
    ],
    examples: [.init("speechkit credentials test openai", "See whether the key is good")],
    exits: [
      (.success, "The service took the key."),
      (.badData, "That is no key, or the file of keys is damaged."),
      (.noInput, "The file of keys is not safe from others."),
      (
        .unavailable,
        "There is no key, the service refused it or did not answer, or no check is known."
      ),
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

    /// In a sentence.
    var text: String {
      let from = source.map { " (\($0))" } ?? ""
      return switch status {
      case .accepted: "\(provider) takes the key\(from)."
      case .refused: "\(provider) refuses the key\(from)."
      case .unreachable: "Whether \(provider) takes the key\(from) could not be found out."
      case .unknown:
        "There is a key for \(provider)\(from). No check is known for \(provider), so that it has not "
          + "been tried."
      }
    }
  }

  func run(on terminal: Terminal) async throws {
    let providerID = try service.id
    let key = try await manager.retrieve(providerID: providerID, type: .apiKey)
    defer { key.clear() }
    let source = await manager.inventory(of: providerID).items.first {
      $0.isUsed && $0.credential.type == .apiKey
    }?.source
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
  /// Whether a service said no to a key.
  fileprivate var isRefusal: Bool {
    switch self as? AIServiceError {
    case .authenticationFailed?, .invalidAPIKey?: true
    default: false
    }
  }
}
#endif
