import Foundation

/// One request to a service, in the words of its documentation.
public struct ServiceCall: Sendable {
  /// What is asked for.
  public var method: HTTPRequest.Method
  /// The path behind the base address.
  public var path: String
  /// Query items, in order.
  public var query: [(String, String)]
  /// Header fields beyond those of every request.
  public var headers: HTTPHeaders
  /// What is sent.
  public var body: Data?
  /// Other time-outs than the endpoint's.
  public var timeouts: HTTPTimeouts?
  /// The most bytes of the answer.
  public var responseLimit: Int
  /// How often the call is sent again at most; `nil` for what the policy says.
  public var retries: Int?
  /// The model that is asked, for what is known of it.
  public var model: String?

  /// A call.
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

  /// A call that reads.
  public static func get(_ path: String, query: [(String, String)] = []) -> ServiceCall {
    ServiceCall(.get, path, query: query, headers: ["Accept": "application/json"])
  }

  /// A call that sends JSON.
  ///
  /// - Throws: `AIServiceError.dataConversionError` when the body cannot be written as JSON.
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
      throw .dataConversionError("The request cannot be written as JSON: \(error)")
    }
  }

  /// The same call, asking for an answer of that type.
  public func accepting(_ contentType: String) -> ServiceCall {
    var call = self
    call.headers["Accept"] = contentType
    return call
  }
}
