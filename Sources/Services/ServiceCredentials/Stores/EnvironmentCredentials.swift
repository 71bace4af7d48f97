import Foundation

/// Keys in environment variables: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `ELEVENLABS_API_KEY`, and so on
/// for every provider's name, with capital letters and `_` for everything that is neither letter nor digit.
///
/// An empty variable counts as none. Only keys are found here, no other types of credentials.
public struct EnvironmentCredentials: CredentialSource {
  private static let suffix = CredentialID.environmentSuffix

  /// “environment”.
  public let name = "environment"
  private let environment: @Sendable () -> [String: String]

  /// The process's own environment, as it is at each call.
  public init() {
    environment = { ProcessInfo.processInfo.environment }
  }

  /// An environment of the caller's own.
  public init(_ environment: [String: String]) {
    self.environment = { environment }
  }

  /// The variable that holds a provider's key.
  public static func variable(for providerID: String) -> String {
    CredentialID.environmentVariable(for: providerID)
  }

  /// The key, if there is one.
  public func entry(for id: CredentialID) async throws -> CredentialEntry? {
    let variable = Self.variable(for: id.providerID)
    guard id.type == .apiKey, let value = environment()[variable], !Self.isBlank(value) else {
      return nil
    }
    return CredentialEntry(
      credential: Self.credential(id, in: variable), value: SecureString(value))
  }

  /// What there is, with the providers' names in small letters.
  public func list() async throws -> [AICredential] {
    environment().filter { name, value in
      name.hasSuffix(Self.suffix) && !Self.isBlank(value)
    }.keys.sorted().compactMap { variable in
      let providerID = variable.dropLast(Self.suffix.count).lowercased()
      // Nobody can ask for what cannot be a provider's name.
      return (try? CredentialID(providerID: providerID, type: .apiKey)).map {
        Self.credential($0, in: variable)
      }
    }
  }

  /// The provider's key. Several names can mean one variable, so that all of them are found here.
  public func list(for providerID: String) async throws -> [AICredential] {
    let id = try CredentialID(providerID: providerID, type: .apiKey)
    return try await entry(for: id).map { [$0.credential] } ?? []
  }

  private static func isBlank(_ value: String) -> Bool { value.allSatisfy(\.isWhitespace) }

  private static func credential(_ id: CredentialID, in variable: String) -> AICredential {
    // An environment does not know since when it has been what it is.
    AICredential(
      found: id, in: "environment", name: variable, at: Date(timeIntervalSince1970: 0))
  }
}
