import AIServices
import Testing

struct CredentialFailureTests {
  @Test(
    arguments: [
      .invalidFormat("x"), .expired(providerID: "p"), .notFound(providerID: "p"),
      .readOnly(providerID: "p", source: "s"), .storeUnavailable("x"), .storeLocked("x"),
      .insecureFile("x"), .corruptFile("x"), .storageFailed("x"),
    ] as [AICredentialError])
  func `each error of a credential is reported as a service's`(error: AICredentialError) {
    #expect(error.serviceError.message == error.localizedDescription)
    let expected: AIServiceError =
      switch error {
      case .invalidFormat: .invalidAPIKey(error.localizedDescription)
      case .notFound, .storeUnavailable: .missingCredentials(error.localizedDescription)
      case .expired: .authenticationFailed(error.localizedDescription)
      default: .configurationError(error.localizedDescription)
      }
    #expect(error.serviceError == expected)
  }
}
