import Foundation

/// Makes the head of a response from its lines.
struct HTTPHeadReader {
  /// The most bytes that all lines together may have, those of interim responses included.
  static let limit = 128 << 10

  private(set) var status = 0
  private(set) var headers = HTTPHeaders()
  /// Whether the head of the response proper is complete; what comes then are trailers.
  private(set) var isComplete = false
  private var size = 0

  /// Takes the next line, its end included.
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
      // Interim responses (100, 103) go before the one that counts.
      isComplete = !(100..<200).contains(status) || status == 101
    } else if let colon = text.firstIndex(of: ":") {
      headers.append(
        String(text[..<colon]),
        text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }
}
