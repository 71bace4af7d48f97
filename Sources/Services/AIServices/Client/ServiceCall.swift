import Foundation

/// A request to a service, relative to its endpoint.
public struct ServiceCall: Sendable {
  /// The method of the request.
  public var method: HTTPRequest.Method
  /// The path relative to the base address.
  public var path: String
  /// The query items, in order.
  public var query: [(String, String)]
  /// The header fields in addition to those of every request.
  public var headers: HTTPHeaders
  /// The body of the request.
  public var body: Data?
  /// Timeouts that replace those of the endpoint.
  public var timeouts: HTTPTimeouts?
  /// The maximum size of the response in bytes.
  public var responseLimit: Int
  /// The maximum number of retries; `nil` to apply the policy.
  public var retries: Int?
  /// The requested model, for checks and usage.
  public var model: String?

  /// Creates a call of the service.
  public init(
    _ method: HTTPRequest.Method, _ path: String, query: [(String, String)] = [],
    headers: HTTPHeaders = HTTPHeaders(), body: Data? = nil, timeouts: HTTPTimeouts? = nil,
    responseLimit: Int = 64 << 20
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.responseLimit = responseLimit
  }

  /// Creates a GET call.
  public static func get(_ path: String, query: [(String, String)] = []) -> ServiceCall {
    ServiceCall(.get, path, query: query, headers: ["Accept": "application/json"])
  }

  /// Creates a POST call with a JSON body.
  ///
  /// - Throws: `AIServiceError.dataConversionError` if the body cannot be encoded as JSON.
  public static func post(
    _ path: String, json body: some Encodable, query: [(String, String)] = [],
    model: String? = nil
  ) throws(AIServiceError) -> ServiceCall {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    do {
      var call = ServiceCall(
        .post, path, query: query, headers: ["Content-Type": "application/json"],
        body: try encoder.encode(body))
      call.model = model
      return call
    } catch {
      throw .dataConversionError("The request cannot be encoded as JSON: \(error)")
    }
  }

  /// Returns the call with an `Accept` header for the media type.
  public func accepting(_ contentType: String) -> ServiceCall {
    var call = self
    call.headers["Accept"] = contentType
    return call
  }
}
