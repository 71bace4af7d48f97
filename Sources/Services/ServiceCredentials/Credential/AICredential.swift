import Foundation

/// What is known of a secret, without the secret itself; all of it may be shown, and is stored in clear.
///
/// ```swift
/// let credential = AICredential(providerID: "openai", type: .apiKey, name: "Production Key")
/// try await AICredentialManager.shared.store(credential: credential, value: SecureString("sk-…"))
/// ```
public struct AICredential: Sendable, Hashable, Codable, Identifiable {
  /// Tells it from all others.
  public let id: UUID
  /// The provider it is for.
  public let providerID: String
  /// What kind of secret it is.
  public let type: AICredentialType
  /// The name that is shown.
  public let name: String
  /// What people want to remember about it.
  public let description: String?
  /// When it was made.
  public let createdAt: Date
  /// When its secret or its description last changed.
  public var updatedAt: Date
  /// When it stops being valid; `nil` for never.
  public var expiresAt: Date?
  /// Whatever else is to be kept with it. No place for secrets.
  public var metadata: [String: String]

  /// A credential.
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

  /// Whether its time is over.
  public var isExpired: Bool { isExpired(at: Date()) }

  /// Whether it may be used, as far as can be told without asking the service.
  public var isValid: Bool { !isExpired }

  /// Whether its time is over at that moment.
  func isExpired(at moment: Date) -> Bool {
    expiresAt.map { moment >= $0 } ?? false
  }
}
