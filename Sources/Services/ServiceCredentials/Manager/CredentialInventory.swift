/// All credentials, with the places that they are in.
public struct CredentialInventory: Sendable {
  /// A credential in a place.
  public struct Item: Sendable {
    /// What is known of it.
    public let credential: AICredential
    /// The name of the place.
    public let source: String
    /// Whether this is the one that is used; `false` where a place that is asked earlier has one of the same
    /// provider and type.
    public let isUsed: Bool
  }

  /// A place that could not be looked through.
  public struct Failure: Sendable {
    /// The name of the place.
    public let source: String
    /// Why not.
    public let error: any Error
  }

  /// What was found, by provider, and then in the order in which places are asked.
  public internal(set) var items: [Item] = []
  /// What could not be looked through.
  public internal(set) var failures: [Failure] = []
}
