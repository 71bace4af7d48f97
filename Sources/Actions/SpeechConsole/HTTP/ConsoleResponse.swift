import Foundation

/// A response of the console.
struct ConsoleResponse: Sendable {
  enum Body: Sendable {
    case data(Data)
    /// A body that is written while it is sent.
    case stream(ResponseStream)
  }

  var status: Int
  var headers: [(name: String, value: String)]
  var body: Body

  init(_ status: Int, type: String, _ data: Data) {
    self.status = status
    headers = [("Content-Type", type)]
    body = .data(data)
  }

  static func text(_ status: Int, _ text: String) -> ConsoleResponse {
    ConsoleResponse(status, type: "text/plain; charset=utf-8", Data((text + "\n").utf8))
  }

  static func json(_ value: some Encodable, status: Int = 200) -> ConsoleResponse {
    guard let data = try? JSONEncoder.console.encode(value) else {
      return .text(500, "The response cannot be encoded as JSON.")
    }
    return ConsoleResponse(status, type: "application/json", data)
  }

  static func events(_ stream: ResponseStream) -> ConsoleResponse {
    var response = ConsoleResponse(200, type: "text/event-stream; charset=utf-8", Data())
    response.body = .stream(stream)
    return response
  }

  /// The header fields of every response: no foreign content, no inline scripts, no caching and no
  /// referrer.
  static let safety: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
        + "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
  ]
}

extension JSONEncoder {
  /// The encoder of everything that the page reads.
  static var console: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    return encoder
  }
}
