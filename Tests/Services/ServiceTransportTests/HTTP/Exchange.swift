import AIServiceTesting
import Foundation
import ServiceTestSupport

/// A server and a transport for one test.
struct Exchange {
  let server: LoopbackServer
  let transport: CurlTransport

  init(transport: CurlTransport = CurlTransport(offline: OfflineMode())) throws {
    server = try LoopbackServer()
    self.transport = transport
  }

  func send(
    _ method: HTTPRequest.Method = .get, _ path: String = "/", headers: HTTPHeaders = [:],
    body: Data? = nil, timeouts: HTTPTimeouts = .forTests, responseLimit: Int = 64 << 20,
    isRepeatable: Bool? = nil
  ) async throws -> HTTPResponse {
    try await transport.send(
      HTTPRequest(
        method, server.url(path), headers: headers, body: body, timeouts: timeouts,
        responseLimit: responseLimit, isRepeatable: isRepeatable))
  }

  /// Sends a request and returns the whole body.
  func body(
    _ method: HTTPRequest.Method = .get, _ path: String = "/", headers: HTTPHeaders = [:],
    body: Data? = nil, timeouts: HTTPTimeouts = .forTests
  ) async throws -> String {
    let response = try await send(method, path, headers: headers, body: body, timeouts: timeouts)
    return String(decoding: try await response.body.collected(), as: UTF8.self)
  }
}

/// The error of the work; `nil` if it succeeds.
func failure(_ work: () async throws -> Void) async -> HTTPFailure? {
  do {
    try await work()
    return nil
  } catch {
    return error as? HTTPFailure ?? .invalidRequest("another error: \(error)")
  }
}
