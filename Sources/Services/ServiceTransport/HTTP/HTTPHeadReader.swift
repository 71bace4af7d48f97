import Foundation

/// Parses the head of a response from its lines.
struct HTTPHeadReader {
  /// The maximum size of all lines together, including those of interim responses.
  static let limit = 128 << 10

  private(set) var status = 0
  private(set) var headers = HTTPHeaders()
  /// True once the head of the final response is complete; later lines are trailers.
  private(set) var isComplete = false
  private var size = 0

  /// Parses the next line, including its line break.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(HTTPFailure) {
    guard !isComplete else { return }
    size += line.count
    guard size <= Self.limit else {
      throw .malformed("The header of the response is longer than \(Self.limit) bytes.")
    }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
      headers = HTTPHeaders()
    } else if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
      // Interim responses (100, 103) precede the final one.
      isComplete = !(100..<200).contains(status) || status == 101
    } else if let colon = text.firstIndex(of: ":") {
      headers.append(
        String(text[..<colon]),
        text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }
}
