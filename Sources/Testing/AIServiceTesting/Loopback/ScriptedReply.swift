import AIServices
import Foundation

/// A reply of a `LoopbackServer`: bytes and faults, step by step.
///
/// After the last step the connection waits for the next request.
public struct ScriptedReply: Sendable {
  /// One step of a reply.
  public enum Step: Sendable {
    /// Sends bytes at once.
    case bytes(Data)
    /// Sends bytes one by one, with a pause after each.
    case drip(Data, every: Duration)
    /// Sends the bytes repeatedly until the client hangs up.
    case endless(Data)
    /// Waits until the gate is open. Ends the reply if the client hangs up before.
    case wait(ReplyGate)
    /// Does nothing until the client hangs up.
    case stall
    /// Closes the connection in order.
    case close
    /// Resets the connection (RST).
    case reset

    /// Sends text at once.
    public static func send(_ text: String) -> Step { .bytes(Data(text.utf8)) }
  }

  /// The steps, in order.
  public var steps: [Step]

  /// Creates a reply of raw bytes, including the head of the response.
  public init(raw steps: [Step]) {
    self.steps = steps
  }

  /// A complete response with its length.
  public static func fixed(
    _ status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
  ) -> ScriptedReply {
    var headers = headers
    headers.append("Content-Length", "\(body.count)")
    return ScriptedReply(raw: [.bytes(head(status, headers) + body)])
  }

  /// A complete response of text.
  public static func text(
    _ text: String, status: Int = 200, headers: HTTPHeaders = [:],
    contentType: String = "text/plain"
  ) -> ScriptedReply {
    var headers = headers
    headers.append("Content-Type", contentType)
    return .fixed(status, headers: headers, body: Data(text.utf8))
  }

  /// A file, or the rest of it from the position that a request states in `Range`.
  package static func file(_ content: Data, for request: RecordedRequest) -> ScriptedReply {
    guard let range = request.headers["Range"], range.hasPrefix("bytes="),
      let start = Int(range.dropFirst(6).prefix { $0 != "-" })
    else { return .fixed(body: content) }
    guard start < content.count else {
      return .fixed(416, headers: ["Content-Range": "bytes */\(content.count)"])
    }
    return .fixed(
      206, headers: ["Content-Range": "bytes \(start)-\(content.count - 1)/\(content.count)"],
      body: content.dropFirst(start))
  }

  /// A complete response of JSON.
  public static func json(
    _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> ScriptedReply {
    .text(text, status: status, headers: headers, contentType: "application/json")
  }

  /// A response in chunks, one for each step that sends something.
  public static func chunked(
    _ steps: [Step], status: Int = 200, headers: HTTPHeaders = [:]
  ) -> ScriptedReply {
    var headers = headers
    headers.append("Transfer-Encoding", "chunked")
    var framed: [Step] = [.bytes(head(status, headers))]
    for step in steps {
      switch step {
      case .bytes(let data): framed.append(.bytes(chunk(data)))
      case .endless(let data): framed.append(.endless(chunk(data)))
      case .drip(let data, let pause):
        for byte in data {
          framed.append(.drip(chunk(Data([byte])).prefix(1), every: pause))
          framed.append(.bytes(chunk(Data([byte])).dropFirst()))
        }
      case .wait, .stall, .close, .reset: framed.append(step)
      }
    }
    framed.append(.send("0\r\n\r\n"))
    return ScriptedReply(raw: framed)
  }

  /// A stream of server-sent events, one chunk for each step that sends something.
  public static func events(_ steps: [Step], headers: HTTPHeaders = [:]) -> ScriptedReply {
    var headers = headers
    headers.append("Content-Type", "text/event-stream")
    return .chunked(steps, headers: headers)
  }

  /// A redirect to another address.
  public static func redirect(to url: URL, status: Int = 302) -> ScriptedReply {
    .fixed(status, headers: ["Location": url.absoluteString])
  }

  /// Closes the connection without sending a byte.
  public static let closed = ScriptedReply(raw: [.close])

  /// Resets the connection without sending a byte.
  public static let reset = ScriptedReply(raw: [.reset])

  /// Stays silent until the client hangs up.
  public static let silent = ScriptedReply(raw: [.stall])

  /// Returns the same reply, delayed until a gate is open.
  public func delayed(until gate: ReplyGate) -> ScriptedReply {
    ScriptedReply(raw: [.wait(gate)] + steps)
  }

  /// Returns the same reply up to a number of bytes, including the head, and then another end.
  public func cut(after count: Int, _ end: Step = .close) -> ScriptedReply {
    var left = count
    var kept: [Step] = []
    for step in steps {
      if case .bytes(let data) = step {
        kept.append(.bytes(data.prefix(left)))
        left -= min(left, data.count)
        if left == 0 { break }
      } else {
        kept.append(step)
      }
    }
    return ScriptedReply(raw: kept + [end])
  }

  /// The head of a response, byte for byte.
  public static func head(_ status: Int, _ headers: HTTPHeaders) -> Data {
    let lines = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Data("HTTP/1.1 \(status) \(reasons[status] ?? "Status")\r\n\(lines)\r\n".utf8)
  }

  private static let reasons = [
    200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable",
  ]

  private static func chunk(_ data: Data) -> Data {
    guard !data.isEmpty else { return Data() }
    return Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8)
  }
}
