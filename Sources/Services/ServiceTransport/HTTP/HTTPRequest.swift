import Foundation

/// A request to a server.
public struct HTTPRequest: Sendable {
  /// What is asked for.
  public enum Method: String, Sendable {
    /// Reads.
    case get = "GET"
    /// Sends something to be worked on.
    case post = "POST"
    /// Stores.
    case put = "PUT"
    /// Removes.
    case delete = "DELETE"
  }

  /// What is asked for.
  public var method: Method
  /// Where. Only `http` and `https`, without user information and fragment.
  public var url: URL
  /// The header fields.
  public var headers: HTTPHeaders
  /// What is sent; `nil` for nothing.
  public var body: Data?
  /// How long it may take.
  public var timeouts: HTTPTimeouts
  /// The most bytes of a response's body that are taken.
  public var responseLimit: Int
  /// Whether the transport itself may send the request again when a kept connection turns out to be
  /// closed. Not so where a request costs money.
  public var isRepeatable: Bool

  /// A request.
  public init(
    _ method: Method, _ url: URL, headers: HTTPHeaders = HTTPHeaders(), body: Data? = nil,
    timeouts: HTTPTimeouts = HTTPTimeouts(), responseLimit: Int = 64 << 20,
    isRepeatable: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.responseLimit = responseLimit
    self.isRepeatable = isRepeatable ?? (method == .get)
  }
}
