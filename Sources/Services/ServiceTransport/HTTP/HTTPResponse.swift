import Foundation

/// The response of a server: a complete head, and a body that may still be arriving.
public struct HTTPResponse: Sendable {
  /// The HTTP status code.
  public let status: Int
  /// The header fields of the response.
  public let headers: HTTPHeaders
  /// The body, which can be read once.
  public let body: HTTPBody

  /// Creates a response from its parts.
  public init(status: Int, headers: HTTPHeaders, body: HTTPBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
