/// A kind of structured data that a provider can fill in.
public enum DataStructureCapability: Sendable, Hashable {
  /// The named properties of the named type.
  case model(modelType: String, properties: [String])
  /// Whatever conforms to the named protocol.
  case `protocol`(protocolType: String)
}
