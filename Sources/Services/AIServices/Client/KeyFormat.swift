/// The documented format of a service's keys, which is checked before a key is sent.
///
/// The vendors' configurations have their format while they refer to the vendor's own address. At
/// other addresses, where compatible servers have keys of their own, every key is accepted.
public struct KeyFormat: Sendable, Hashable {
  /// The beginnings of valid keys; empty if any is valid.
  public var prefixes: [String]
  /// The minimum number of characters.
  public var minimumLength: Int

  /// Creates a format; by default every key has it.
  public init(prefixes: [String] = [], minimumLength: Int = 1) {
    self.prefixes = prefixes
    self.minimumLength = minimumLength
  }

  /// The format of every key.
  public static let any = KeyFormat()
  /// The format of OpenAI's keys, and of keys for tests.
  public static let openAI = KeyFormat(prefixes: ["sk-", "test-"])
  /// The format of Anthropic's keys, and of keys for tests.
  public static let anthropic = KeyFormat(prefixes: ["sk-ant-", "test-"])
  /// The format of ElevenLabs' keys.
  public static let elevenLabs = KeyFormat(minimumLength: 32)

  /// Checks a key of a service.
  ///
  /// - Throws: `AIServiceError.invalidAPIKey` with the format, never with the key.
  func check(_ key: SecureString, of service: String) throws(AIServiceError) {
    var faults: [String] = []
    if !prefixes.isEmpty, !prefixes.contains(where: key.value.hasPrefix) {
      faults.append("begin with " + prefixes.map { "“\($0)”" }.joined(separator: " or "))
    }
    if key.value.count < minimumLength {
      faults.append("have at least \(minimumLength) characters")
    }
    guard !faults.isEmpty else { return }
    throw .invalidAPIKey(
      "Keys for \(service) \(faults.joined(separator: " and ")), but the stored one does not. "
        + "Nothing was sent. Store the right key, or set the configuration's `keyFormat` to "
        + "`.any` if this service has other keys.")
  }
}
