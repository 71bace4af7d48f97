import Foundation

/// An HTTP request with its timeouts and limits.
public struct HTTPRequest: Sendable {
  /// The method of an HTTP request.
  public enum Method: String, Sendable {
    /// Retrieves a resource.
    case get = "GET"
    /// Submits data to a resource.
    case post = "POST"
    /// Stores data as a resource.
    case put = "PUT"
    /// Removes a resource.
    case delete = "DELETE"
  }

  /// The method of the request.
  public var method: Method
  /// The address: `http` or `https`, without user information and fragment.
  public var url: URL
  /// The header fields of the request.
  public var headers: HTTPHeaders
  /// The body of the request; `nil` for none.
  public var body: Data?
  /// The timeouts of the exchange.
  public var timeouts: HTTPTimeouts
  /// The maximum size of the response body in bytes.
  public var responseLimit: Int
  /// True if the transport itself may send the request again when a kept connection turns out to be
  /// closed. Set it to false if a request costs money.
  public var isRepeatable: Bool

  /// Creates a request with defaults for interactive use.
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
