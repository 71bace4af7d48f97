import AIServices
import Foundation

/// Reads the requests of a connection.
struct LoopbackRequestReader {
  let connection: Int
  /// Receives into a buffer; 0 at the end.
  private let receive: (UnsafeMutableRawBufferPointer) -> Int
  private var buffer = Data()
  private var room = [UInt8](repeating: 0, count: 64 << 10)

  init(connection: Int, receive: @escaping (UnsafeMutableRawBufferPointer) -> Int) {
    self.connection = connection
    self.receive = receive
  }

  /// Reads the next request without its body; `nil` if the client has hung up or does not use HTTP.
  mutating func readHead() -> RecordedRequest? {
    guard let bytes = readThrough(Data("\r\n\r\n".utf8)) else { return nil }
    var lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")[...]
    guard let words = lines.popFirst()?.split(separator: " "), words.count == 3 else { return nil }
    var headers = HTTPHeaders()
    for line in lines where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append(String(line[..<colon]), String(value))
    }
    return RecordedRequest(
      connection: connection, method: String(words[0]), target: String(words[1]), headers: headers,
      head: bytes)
  }

  /// Reads the body of a request; `nil` if the client has hung up before its end.
  mutating func readBody(of request: RecordedRequest) -> Data? {
    if request.headers["Transfer-Encoding"]?.lowercased() == "chunked" { return readChunks() }
    return read(request.headers["Content-Length"].flatMap { Int($0) } ?? 0)
  }

  private mutating func readChunks() -> Data? {
    let end = Data("\r\n".utf8)
    var body = Data()
    while let line = readThrough(end) {
      let digits = String(decoding: line, as: UTF8.self).prefix { $0.isHexDigit }
      guard let size = Int(digits, radix: 16), let chunk = read(size), read(2) == end else {
        return nil
      }
      if size == 0 { return body }
      body += chunk
    }
    return nil
  }

  private mutating func readThrough(_ end: Data) -> Data? {
    var searched = 0
    while true {
      if let range = buffer.range(of: end, in: max(0, searched - end.count)..<buffer.count) {
        return take(range.upperBound)
      }
      searched = buffer.count
      guard fill() else { return nil }
    }
  }

  private mutating func read(_ count: Int) -> Data? {
    while buffer.count < count {
      guard fill() else { return nil }
    }
    return take(count)
  }

  private mutating func take(_ count: Int) -> Data {
    defer { buffer = Data(buffer.dropFirst(count)) }
    return Data(buffer.prefix(count))
  }

  private mutating func fill() -> Bool {
    let count = room.withUnsafeMutableBytes { receive($0) }
    buffer.append(contentsOf: room.prefix(count))
    return count > 0
  }
}
