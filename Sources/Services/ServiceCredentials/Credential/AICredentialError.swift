import Foundation

/// What can go wrong with a credential. No text holds a secret.
public enum AICredentialError: Error, Equatable, Sendable {
  /// The secret or the provider's name cannot be one; the text says what is wrong.
  case invalidFormat(String)
  /// The credential's time is over.
  case expired(providerID: String)
  /// There is no such credential.
  case notFound(providerID: String)
  /// The credential comes from a place that cannot be written to, which the text names.
  case readOnly(providerID: String, source: String)
  /// A place for credentials does not exist here.
  case storeUnavailable(String)
  /// A place for credentials is there and did not open: locked, refused, or too late.
  case storeLocked(String)
  /// A file or folder with secrets is not safe from others; the text says how to mend it.
  case insecureFile(String)
  /// A file with secrets cannot be understood; it is left as it is.
  case corruptFile(String)
  /// Reading or writing failed.
  case storageFailed(String)
}

extension AICredentialError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .invalidFormat(let text), .storeUnavailable(let text), .storeLocked(let text),
      .insecureFile(let text), .corruptFile(let text), .storageFailed(let text):
      text
    case .expired(let providerID):
      "The credential for \(providerID) has expired. Store a new one."
    case .notFound(let providerID):
      "There is no credential for \(providerID). Store one with `speechkit credentials set`, or set "
        + "the environment variable \(CredentialID.environmentVariable(for: providerID))."
    case .readOnly(let providerID, let source):
      "The credential for \(providerID) comes from a place that is only read (\(source)). Change it "
        + "there."
    }
  }
}
