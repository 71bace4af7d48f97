import Foundation

/// Keys in environment variables: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `ELEVENLABS_API_KEY` and
/// so on. The name of the variable is the provider's name in capitals, with `_` for anything other
/// than letters and digits.
///
/// An empty variable counts as missing. Only API keys are found here.
public struct EnvironmentCredentials: CredentialSource {
  private static let suffix = CredentialID.environmentSuffix

  /// The name of this source, `environment`.
  public let name = "environment"
  // A function, because the reflection of a dictionary would show the keys in a description.
  private let environment: @Sendable () -> [String: String]

  /// Reads the given environment, or that of the process at each call.
  public init(_ environment: [String: String]? = nil) {
    self.environment = { environment ?? ProcessInfo.processInfo.environment }
  }

  /// The variable that holds a provider's key.
  public static func variable(for providerID: String) -> String {
    CredentialID.environmentVariable(for: providerID)
  }

  /// Returns the key, or `nil` if the variable is unset or blank.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    let variable = Self.variable(for: id.providerID)
    guard id.type == .apiKey, let value = environment()[variable], !Self.isBlank(value) else {
      return nil
    }
    return CredentialEntry(
      credential: Self.credential(id, in: variable), value: SecureString(value))
  }

  /// Describes all keys, with the providers' names in lower case.
  public func list() async throws -> [AICredential] {
    environment().filter { name, value in
      name.hasSuffix(Self.suffix) && !Self.isBlank(value)
    }.keys.sorted().compactMap { variable in
      let providerID = variable.dropLast(Self.suffix.count).lowercased()
      // Not a valid name of a provider, so it can never be asked for.
      return (try? CredentialID(providerID: providerID, type: .apiKey)).map {
        Self.credential($0, in: variable)
      }
    }
  }

  /// Describes the provider's key. Several names can map to one variable, and each of them is
  /// found.
  public func list(for providerID: String) async throws -> [AICredential] {
    let id = try CredentialID(providerID: providerID, type: .apiKey)
    return try await entry(for: id).map { [$0.credential] } ?? []
  }

  private static func isBlank(_ value: String) -> Bool { value.allSatisfy(\.isWhitespace) }

  private static func credential(_ id: CredentialID, in variable: String) -> AICredential {
    // The date is unknown.
    AICredential(
      found: id, in: "environment", name: variable, at: Date(timeIntervalSince1970: 0))
  }
}
