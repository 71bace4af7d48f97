import AIServiceTesting
import Foundation

@testable import AIServices

/// A server, a clock that skips delays, and clients for them.
struct TriedService: Sendable {
  let server: LoopbackServer
  let clock = SkippingClock()
  /// The client's current date: 1994-11-06 08:49:37 in Greenwich.
  static let date = Date(timeIntervalSince1970: 784_111_777)

  init() throws {
    server = try LoopbackServer()
  }

  func client(
    key: String? = nil, authentication: ServiceEndpoint.Authentication = .bearer,
    limits: ServiceLimits = ServiceLimits(), retry: RetryPolicy = RetryPolicy(),
    random: Double = 0, permanentCodes: Set<String> = [], prices: [String: ServicePrice] = [:],
    timeouts: HTTPTimeouts = HTTPTimeouts()
  ) -> ServiceClient {
    ServiceClient(
      name: "Tried",
      endpoint: ServiceEndpoint(
        baseURL: server.url("/v1").absoluteString, authentication: authentication,
        timeouts: timeouts),
      key: ServiceKey(isRequired: false) { key.map { SecureString($0) } },
      environment: ServiceEnvironment(
        transport: CurlTransport(offline: OfflineMode()),
        clock: ServiceClock(clock, date: { Self.date }), retry: retry, random: { random }),
      limits: limits, permanentCodes: permanentCodes, prices: prices)
  }

  /// The error of a call; `nil` if it succeeds.
  func failure(
    of client: ServiceClient, _ call: ServiceCall = .get("thing")
  ) async -> AIServiceError? {
    do {
      _ = try await client.data(for: call)
      return nil
    } catch {
      return error as? AIServiceError ?? .dataConversionError("another error: \(error)")
    }
  }
}

extension AIServiceError {
  var isConnectionFailed: Bool { if case .connectionFailed = self { true } else { false } }
  var isProviderError: Bool { if case .providerError = self { true } else { false } }
  var isInvalidRequest: Bool { if case .invalidRequest = self { true } else { false } }
  var isConfigurationError: Bool { if case .configurationError = self { true } else { false } }
}
