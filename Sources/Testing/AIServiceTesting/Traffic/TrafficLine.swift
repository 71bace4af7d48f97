import Foundation

/// One line of a recording: its format, an exchange or a WebSocket.
struct TrafficLine: Codable {
  var traffic: Int?
  var exchange: RecordedExchange?
  var socket: RecordedSocket?

  /// The lines of a file that are not blank, with their numbers from 1.
  static func numbered(in data: Data) -> [(number: Int, line: Data)] {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .map { (number: $0.offset + 1, line: Data($0.element)) }
      .filter { $0.line.contains { ![0x20, 0x09, 0x0D].contains($0) } }
  }

  /// Decodes a line.
  static func decoded(_ line: Data, number: Int) throws(TrafficError) -> TrafficLine {
    do {
      return try JSONDecoder().decode(TrafficLine.self, from: line)
    } catch {
      throw .malformed(.init(line: number, message: message(of: error)))
    }
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite, which no part of a recording holds.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func message(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error.localizedDescription)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "“\(key.stringValue)” is missing\(place(context, " in "))."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context))\(context.debugDescription)"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "The line is not a JSON object of an exchange or a socket. \(context.debugDescription)"
    case .dataCorrupted(let context): return "\(place(context))\(context.debugDescription)"
    @unknown default: return "\(error.localizedDescription)"
    }
  }

  /// The place within the line, like `exchange.pieces[2].after`.
  private static func place(_ context: DecodingError.Context, _ prefix: String = "") -> String {
    let path = context.codingPath.reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    guard !path.isEmpty else { return "" }
    return prefix.isEmpty ? "\(path): " : prefix + path
  }
}
