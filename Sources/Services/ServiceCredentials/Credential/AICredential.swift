import Foundation

/// The description of a credential, without its secret. All of it may be shown and is stored in
/// clear text.
///
/// ```swift
/// let credential = AICredential(providerID: "openai", type: .apiKey, name: "Production Key")
/// try await AICredentialManager.shared.store(credential: credential, value: SecureString("sk-…"))
/// ```
public struct AICredential: Sendable, Hashable, Codable, Identifiable {
  /// The unique identifier of the credential.
  public let id: UUID
  /// The identifier of the provider that the credential is for.
  public let providerID: String
  /// The kind of secret.
  public let type: AICredentialType
  /// The name shown to the user.
  public let name: String
  /// The user's own notes about the credential.
  public let description: String?
  /// The date when the credential was created.
  public let createdAt: Date
  /// The date of the last change to the secret or its description.
  public var updatedAt: Date
  /// The date when the credential expires; `nil` if it never does.
  public var expiresAt: Date?
  /// Further values to keep with the credential, in clear text.
  public var metadata: [String: String]

  /// Creates the description of a credential.
  public init(
    id: UUID = UUID(), providerID: String, type: AICredentialType, name: String,
    description: String? = nil, createdAt: Date = Date(), updatedAt: Date = Date(),
    expiresAt: Date? = nil, metadata: [String: String] = [:]
  ) {
    self.id = id
    self.providerID = providerID
    self.type = type
    self.name = name
    self.description = description
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.expiresAt = expiresAt
    self.metadata = metadata
  }

  /// True once the credential has expired.
  public var isExpired: Bool { isExpired(at: Date()) }

  /// True if the credential has not expired; the service is not asked.
  public var isValid: Bool { !isExpired }

  /// True if the credential has expired at that moment.
  func isExpired(at moment: Date) -> Bool {
    expiresAt.map { moment >= $0 } ?? false
  }
}
