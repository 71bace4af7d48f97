#if Cloud
import AIServices
import Foundation

extension SpeechDiagnostics {
  /// Checks of keys and of the network. No service is called; `speechkit credentials test` does
  /// that.
  static var services: [Check] {
    [
      Check(
        part: "services.credentials", title: "Keys of services", severity: .warning,
        remedy: "Do as the message says, or store the key again with `speechkit credentials set`."
      ) {
        let inventory = await AICredentialManager.shared.inventory()
        if let failure = inventory.failures.first {
          throw Deficiency("\(failure.source): \(failure.error.localizedDescription)")
        }
        let used = inventory.items.filter(\.isUsed)
        if let expired = used.first(where: \.credential.isExpired) {
          throw Deficiency("the key for \(expired.credential.providerID) has expired")
        }
        let found = used.map { "\($0.credential.providerID) (\($0.source))" }
        guard !found.isEmpty else { return "none; all that is local works without" }
        return found.joined(separator: ", ")
      },
      Check(
        part: "services.network", title: "Network", severity: .warning,
        remedy: "Unset SPEECHKIT_OFFLINE to let services be asked."
      ) {
        guard !OfflineMode.shared.isOn else {
          throw Deficiency("switched off for this program")
        }
        return "requests to services are allowed"
      },
    ]
  }
}
#else
extension SpeechDiagnostics {
  /// No checks, because the package was built without services.
  static var services: [Check] { [] }
}
#endif
