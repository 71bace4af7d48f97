import AIServices

/// The secrets that are masked in a recording.
///
/// Secrets that a request carries in a header, or that sources of `RecordingTransport.watching(_:)`
/// returned, are always masked. The case, hyphens and underscores of names are ignored.
///
/// ```swift
/// var secrets = TrafficSecrets.standard
/// secrets.values.append(SecureString("+49 30 1234567"))
/// secrets.members.insert("customer_id")
/// ```
public struct TrafficSecrets: Sendable {
  /// The header fields whose values are masked.
  public var headers: Set<String>
  /// The parameters of addresses and of URL-encoded forms whose values are masked, besides
  /// `members`.
  public var parameters: Set<String>
  /// The members of JSON and fields of forms whose values are masked.
  public var members: Set<String>
  /// The values that are masked everywhere: verbatim, escaped as in addresses and JSON, in base 64,
  /// and any eight consecutive bytes of them.
  public var values: [SecureString]

  /// Creates exactly these secrets.
  public init(
    headers: Set<String>, parameters: Set<String>, members: Set<String>,
    values: [SecureString] = []
  ) {
    self.headers = headers
    self.parameters = parameters
    self.members = members
    self.values = values
  }

  /// Names that suggest a secret: `Authorization`, `api-key`, `Set-Cookie`, `api_key`, `token` and
  /// the like.
  public static let standard = TrafficSecrets(
    headers: SecretNames.headers, parameters: SecretNames.parameters,
    members: SecretNames.members)
}
