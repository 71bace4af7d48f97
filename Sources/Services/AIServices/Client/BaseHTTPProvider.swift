import Foundation

/// A base class for custom providers with JSON over HTTP. It adds the address, the timeout, and
/// errors as `AIServiceError`.
///
/// It wraps `ServiceClient`, on which the built-in providers are based.
open class BaseHTTPProvider: @unchecked Sendable {
  // Unchecked because subclasses may add state of their own and are responsible for it; this class
  // is immutable.

  /// The base address of all endpoints.
  public let baseURL: String
  /// The timeout of a request in seconds.
  public let timeout: TimeInterval

  private let client: ServiceClient

  /// Creates a provider for a base address.
  public init(
    baseURL: String, timeout: TimeInterval = 120, environment: ServiceEnvironment = .standard
  ) {
    self.baseURL = baseURL
    self.timeout = timeout
    var endpoint = ServiceEndpoint(baseURL: baseURL, authentication: .none)
    endpoint.timeouts.total = .seconds(timeout)
    endpoint.timeouts.firstByte = .seconds(timeout)
    client = ServiceClient(
      name: endpoint.host.isEmpty ? "The service" : endpoint.host, endpoint: endpoint, key: .none,
      environment: environment)
  }

  /// Sends JSON and decodes the JSON response.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func post<Request: Encodable, Response: Decodable>(
    endpoint: String, headers: [String: String], body: Request
  ) async throws -> Response {
    try await client.json(for: adding(headers, to: .post(endpoint, json: body)))
  }

  /// Sends JSON and returns the response unchanged, such as audio.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func data<Request: Encodable>(
    posting body: Request, to endpoint: String, headers: [String: String] = [:]
  ) async throws -> Data {
    try await client.data(for: adding(headers, to: .post(endpoint, json: body))).data
  }

  /// Sends a GET request and decodes the JSON response.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func get<Response: Decodable>(
    endpoint: String, headers: [String: String]
  ) async throws -> Response {
    try await client.json(for: adding(headers, to: .get(endpoint)))
  }

  private func adding(_ headers: [String: String], to call: ServiceCall) -> ServiceCall {
    var call = call
    for (name, value) in headers {
      if Self.secretNames.contains(name) {
        // A prefix such as `Bearer` is not part of the key, which is masked in responses.
        let end = value.lastIndex(of: " ").map { value.index(after: $0) } ?? value.startIndex
        call.headers.setSecret(
          name, SecureString(String(value[end...])), prefix: String(value[..<end]))
      } else {
        call.headers[name] = value
      }
    }
    return call
  }

  private static let secretNames = SecretNames(SecretNames.headers)
}
