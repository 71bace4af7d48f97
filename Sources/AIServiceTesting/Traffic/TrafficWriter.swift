import Foundation

/// Writes recordings.
enum TrafficWriter {
  static func text(of recording: TrafficRecording) -> String {
    var text = "{\"traffic\":\(TrafficRecording.format)}\n"
    for exchange in recording.exchanges {
      for line in lines(of: exchange) { text += line + "\n" }
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
    var end: [String?] = []
    switch exchange.end {
    case .complete: end = ["\"end\":\"complete\""]
    case .cancelled: end = ["\"end\":\"cancelled\""]
    case .abandoned: end = ["\"end\":\"abandoned\""]
    case .failed(let failure):
      end = ["\"end\":" + quoted(failure.kind.rawValue), "\"detail\":" + quoted(failure.detail)]
    }
    end.append(after(exchange.endAfter))
    lines.append("{" + end.compactMap(\.self).joined(separator: ",") + "}")
    return lines
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
