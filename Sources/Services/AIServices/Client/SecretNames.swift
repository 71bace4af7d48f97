/// The names of fields whose values are secrets. Case, hyphens and underscores are ignored.
package struct SecretNames: Sendable {
  private let names: Set<String>

  package init(_ names: some Sequence<String>) {
    self.names = Set(names.map(Self.plain))
  }

  package func contains(_ name: some StringProtocol) -> Bool { names.contains(Self.plain(name)) }

  private static func plain(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  /// Header fields.
  package static let headers: Set = [
    "authorization", "proxy-authorization", "api-key", "x-api-key", "xi-api-key",
    "x-goog-api-key", "ocp-apim-subscription-key", "x-auth-token", "x-access-token",
    "x-csrf-token", "x-amz-security-token", "cookie", "set-cookie",
  ]

  /// Members of JSON objects, and form fields.
  package static let members: Set = [
    "api_key", "xi_api_key", "x_api_key", "token", "access_token", "refresh_token", "id_token",
    "auth_token", "session_token", "bearer_token", "authorization", "secret", "client_secret",
    "secret_key", "private_key", "password", "passwd", "cookie",
  ]

  /// Query parameters, in addition to the names of members.
  package static let parameters: Set = ["key", "sig", "signature", "auth", "single_use_token"]
}
