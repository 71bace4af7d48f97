import Foundation

/// A start for providers of one's own that speak JSON over HTTP: address, time-out, and errors as
/// `AIServiceError`.
///
/// The toolkit's own providers are made from `ServiceClient`, which this is a thin door to.
open class BaseHTTPProvider: @unchecked Sendable {
  // Unchecked because subclasses may hold whatever they like and answer for it; nothing here changes.

  /// The address that endpoints are joined to.
  public let baseURL: String
  /// How long a request may take, in seconds.
  public let timeout: TimeInterval

  private let client: ServiceClient

  /// A provider at that address.
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

  /// Sends JSON and reads the answer as JSON.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func post<Request: Encodable, Response: Decodable>(
    endpoint: String, headers: [String: String], body: Request
  ) async throws -> Response {
    try await client.json(for: adding(headers, to: .post(endpoint, json: body)))
  }

  /// Sends JSON and returns the answer as it is.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task was cancelled.
  public func postForData<Request: Encodable>(
    endpoint: String, headers: [String: String], body: Request
  ) async throws -> Data {
    try await client.data(for: adding(headers, to: .post(endpoint, json: body))).data
  }

  /// Asks and reads the answer as JSON.
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
        // `Bearer` and the like are no part of the key, which is looked for in what servers answer.
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
