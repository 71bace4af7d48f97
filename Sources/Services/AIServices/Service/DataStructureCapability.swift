/// A kind of structured data that a provider can generate.
public enum DataStructureCapability: Sendable, Hashable {
  /// Values of a type with the named properties.
  case model(modelType: String, properties: [String])
  /// Values of any type that conforms to the protocol.
  case `protocol`(protocolType: String)
}
