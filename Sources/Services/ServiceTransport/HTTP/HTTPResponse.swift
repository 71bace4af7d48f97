import Foundation

/// What a server answers: the head at once, the body as it comes.
public struct HTTPResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields.
  public let headers: HTTPHeaders
  /// The body, to be read once.
  public let body: HTTPBody

  /// A response.
  public init(status: Int, headers: HTTPHeaders, body: HTTPBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
