import ServiceTransport

/// The real transport with long timeouts, so that a busy machine is not taken for a silent server.
package struct UnhurriedTransport: HTTPTransport {
  private let transport = CurlTransport(offline: OfflineMode())

  package init() {}

  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.timeouts = .forTests
    return try await transport.send(request)
  }
}
