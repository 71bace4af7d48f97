import AIServices

/// What is taken out of a recording.
///
/// Secrets that a request carries in a header, or that `RecordingTransport.watching(_:)` saw being given out,
/// are taken out in any case. Case, hyphens and underscores of names make no difference.
///
/// ```swift
/// var secrets = TrafficSecrets.standard
/// secrets.values.append(SecureString("+49 30 1234567"))
/// secrets.members.insert("customer_id")
/// ```
public struct TrafficSecrets: Sendable {
  /// Header fields whose values are taken out.
  public var headers: Set<String>
  /// Parameters of addresses and of forms in the style of addresses whose values are taken out, besides
  /// those that `members` names.
  public var parameters: Set<String>
  /// Members of JSON, and fields of forms, whose values are taken out.
  public var members: Set<String>
  /// Values that are taken out wherever they are: as they are, with the escapes of addresses and JSON, in base
  /// 64, and any eight bytes of them in a row.
  public var values: [SecureString]

  /// Exactly those.
  public init(
    headers: Set<String>, parameters: Set<String>, members: Set<String>,
    values: [SecureString] = []
  ) {
    self.headers = headers
    self.parameters = parameters
    self.members = members
    self.values = values
  }

  /// What is called like a secret: `Authorization`, `api-key`, `Set-Cookie`, `api_key`, `token` and the like.
  public static let standard = TrafficSecrets(
    headers: SecretNames.headers, parameters: SecretNames.parameters,
    members: SecretNames.members)
}
