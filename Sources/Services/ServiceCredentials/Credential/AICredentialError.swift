import Foundation

/// An error of credentials and their stores. No message contains a secret.
public enum AICredentialError: Error, Equatable, Sendable {
  /// The secret or the provider's name is not valid; the message says why.
  case invalidFormat(String)
  /// The credential has expired.
  case expired(providerID: String)
  /// There is no such credential.
  case notFound(providerID: String)
  /// The credential comes from a read-only source, which is named.
  case readOnly(providerID: String, source: String)
  /// A store does not exist on this system.
  case storeUnavailable(String)
  /// A store exists but did not open: it is locked, refused access or timed out.
  case storeLocked(String)
  /// Others have access to a file or folder with secrets; the message says how to fix that.
  case insecureFile(String)
  /// A file with secrets cannot be parsed. It is left unchanged.
  case corruptFile(String)
  /// Reading or writing a store failed.
  case storageFailed(String)
}

extension AICredentialError: LocalizedError {
  /// A description of the error and of its remedy.
  public var errorDescription: String? {
    switch self {
    case .invalidFormat(let text), .storeUnavailable(let text), .storeLocked(let text),
      .insecureFile(let text), .corruptFile(let text), .storageFailed(let text):
      text
    case .expired(let providerID):
      "The credential for \(providerID) has expired. Store a new one."
    case .notFound(let providerID):
      "There is no credential for \(providerID). Store one with `speechkit credentials set`, or "
        + "set the environment variable \(CredentialID.environmentVariable(for: providerID))."
    case .readOnly(let providerID, let source):
      "The credential for \(providerID) comes from a read-only source (\(source)). "
        + "Change it there."
    }
  }
}
