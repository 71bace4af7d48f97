import Foundation

/// The identity of a secret: a provider has at most one of each type.
public struct CredentialID: Sendable, Hashable {
  /// The identifier of the provider.
  public let providerID: String
  /// The kind of secret.
  public let type: AICredentialType

  /// Identifies a secret by its provider and type.
  ///
  /// - Throws: `AICredentialError.invalidFormat` if the provider's name is empty, longer than 200
  ///   bytes, or contains control characters.
  public init(providerID: String, type: AICredentialType) throws(AICredentialError) {
    guard !providerID.isEmpty, providerID.utf8.count <= 200,
      !providerID.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw .invalidFormat(
        "The provider's name is empty, too long, or contains control characters. "
          + "Use a name like openai."
      )
    }
    self.providerID = providerID
    self.type = type
  }

  /// Identifies the secret that a credential describes.
  ///
  /// - Throws: `AICredentialError.invalidFormat`.
  public init(_ credential: AICredential) throws(AICredentialError) {
    try self.init(providerID: credential.providerID, type: credential.type)
  }
}

extension CredentialID {
  /// The suffix of environment variables that hold keys.
  static let environmentSuffix = "_API_KEY"

  /// The environment variable that holds a provider's key.
  static func environmentVariable(for providerID: String) -> String {
    let letters = providerID.uppercased().unicodeScalars.map { scalar in
      scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        ? Character(scalar) : "_"
    }
    return String(letters) + environmentSuffix
  }
}

extension AICredential {
  /// True if the credential describes that secret.
  func isAbout(_ id: CredentialID) -> Bool {
    providerID == id.providerID && type == id.type
  }

  /// Describes a secret that comes from a source without descriptions.
  init(found id: CredentialID, in place: String, name: String, at date: Date) {
    self.init(
      id: UUID(standingFor: [place, id.providerID, id.type.rawValue]), providerID: id.providerID,
      type: id.type, name: name, createdAt: date, updatedAt: date)
  }
}

extension UUID {
  /// Derives the same identifier from the same words, so that repeated listings agree.
  init(standingFor words: [String]) {
    var bytes: [UInt8] = []
    for seed in [0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15] as [UInt64] {
      // The hash of Fowler, Noll and Vo. It need not be hard to reverse here.
      let hash = words.joined(separator: "\0").utf8.reduce(seed) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      bytes += withUnsafeBytes(of: hash.bigEndian) { Array($0) }
    }
    // Version 8 allows any way of generating the other bits.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
