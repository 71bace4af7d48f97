import AIServices
import Foundation

/// Writes recordings.
enum TrafficWriter {
  static func text(of recording: TrafficRecording) -> String {
    var text = "{\"traffic\":\(TrafficRecording.format)}\n"
    for exchange in recording.exchanges {
      for line in lines(of: exchange) { text += line + "\n" }
    }
    for socket in recording.sockets {
      for line in lines(of: socket) { text += line + "\n" }
    }
    return text
  }

  private static func lines(of exchange: RecordedExchange) -> [String] {
    let request = exchange.request
    var lines = [
      line(
        "\"request\":" + quoted(request.method), "\"url\":" + quoted(request.url),
        "\"headers\":" + array(request.headers), request.body.map { bytes("body", $0) })
    ]
    if let answer = exchange.answer {
      lines.append(
        line(
          "\"answer\":\(answer.status)", after(answer.after),
          "\"headers\":" + array(answer.headers)))
    }
    for piece in exchange.pieces {
      lines.append(line(bytes("piece", piece.bytes), after(piece.after)))
    }
    let end =
      switch exchange.end {
      case .complete: word("complete")
      case .cancelled: word("cancelled")
      case .abandoned: word("abandoned")
      case .failed(let failure): word(of: failure)
      }
    lines.append(line(end, after(exchange.endAfter)))
    return lines
  }

  private static func lines(of socket: RecordedSocket) -> [String] {
    let request = socket.request
    var lines = [
      line("\"socket\":" + quoted(request.url), "\"headers\":" + array(request.headers))
    ]
    if let opening = socket.opening {
      lines.append(
        line("\"opened\":" + quoted(opening.subprotocol ?? ""), after(opening.after)))
    }
    for event in socket.events {
      let content =
        switch event.kind {
        case .sent(let message): self.message("sent", message)
        case .received(let message): self.message("received", message)
        case .closing(let close): self.close("closing", close)
        }
      lines.append(line(content, after(event.after)))
    }
    let end =
      switch socket.end {
      case .closed(let close): self.close("closed", close)
      case .refused(let refusal):
        "\"refused\":\(refusal.status),\"body\":" + quoted(refusal.body)
      case .cancelled: word("cancelled")
      case .abandoned: word("abandoned")
      case .failed(let failure): word(of: failure)
      }
    lines.append(line(end, after(socket.endAfter)))
    return lines
  }

  private static func message(_ name: String, _ message: WebSocketMessage) -> String {
    switch message {
    case .text(let text): "\"\(name)\":" + quoted(text)
    case .binary(let data): "\"\(name)64\":" + quoted(data.base64EncodedString())
    }
  }

  private static func close(_ name: String, _ close: WebSocketClose) -> String {
    "\"\(name)\":\(close.code),\"reason\":" + quoted(close.reason)
  }

  private static func word(_ end: String) -> String { "\"end\":" + quoted(end) }

  private static func word(of failure: RecordedFailure) -> String {
    word(failure.kind.rawValue) + ",\"detail\":" + quoted(failure.detail)
  }

  private static func line(_ members: String?...) -> String {
    "{" + members.compactMap(\.self).joined(separator: ",") + "}"
  }

  private static func array(_ fields: [RecordedExchange.Field]) -> String {
    let pairs = fields.map { "[\(quoted($0.name)),\(quoted($0.value))]" }
    return "[" + pairs.joined(separator: ",") + "]"
  }

  private static func bytes(_ name: String, _ data: Data) -> String {
    if let text = text(data) { return "\"\(name)\":" + quoted(text) }
    return "\"\(name)64\":" + quoted(data.base64EncodedString())
  }

  /// The bytes as text, if they are text that an editor can show.
  private static func text(_ data: Data) -> String? {
    let isShown = data.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    return isShown ? String(validating: data, as: UTF8.self) : nil
  }

  private static func after(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let micros = attoseconds / 1_000_000_000_000
    let digits = String(String(1_000_000 + micros).dropFirst())
    let fraction = digits.reversed().drop { $0 == "0" }.reversed()
    return "\"after\":\(seconds)" + (fraction.isEmpty ? "" : "." + String(fraction))
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        quoted += "\\u" + String(String(0x10000 + scalar.value, radix: 16).dropFirst())
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
