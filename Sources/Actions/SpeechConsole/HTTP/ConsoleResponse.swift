import Foundation

/// What the console answers.
struct ConsoleResponse: Sendable {
  enum Body: Sendable {
    case data(Data)
    /// What comes bit by bit.
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

  /// A page of plain text.
  static func text(_ status: Int, _ text: String) -> ConsoleResponse {
    ConsoleResponse(status, type: "text/plain; charset=utf-8", Data((text + "\n").utf8))
  }

  /// JSON.
  static func json(_ value: some Encodable, status: Int = 200) -> ConsoleResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    guard let data = try? encoder.encode(value) else {
      return .text(500, "The answer cannot be written as JSON.")
    }
    return ConsoleResponse(status, type: "application/json", data)
  }

  /// Server-sent events.
  static func events(_ stream: ResponseStream) -> ConsoleResponse {
    var response = ConsoleResponse(200, type: "text/event-stream; charset=utf-8", Data())
    response.body = .stream(stream)
    return response
  }

  /// What every answer says: nothing from elsewhere, nothing inline, nothing kept, nothing told to others.
  static let safety: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
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
