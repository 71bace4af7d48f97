import Foundation

/// A form with files, as `multipart/form-data`.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("model", "whisper-1")
/// form.append("file", file: recording, named: "speech.wav", contentType: "audio/wav")
/// let (contentType, body) = form.encoded()
/// ```
package struct MultipartForm: Sendable {
  private struct Part: Sendable {
    var head: String
    var content: Data
  }

  private var parts: [Part] = []

  /// Creates a form without fields.
  package init() {}

  /// Adds a text field.
  package mutating func append(_ name: String, _ value: String) {
    parts.append(Part(head: Self.disposition(name), content: Data(value.utf8)))
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - name: the name of the field.
  ///   - content: the contents of the file.
  ///   - fileName: the name of the file; some servers derive the type from its extension.
  ///   - contentType: the media type of the file.
  package mutating func append(
    _ name: String, file content: Data, named fileName: String, contentType: String
  ) {
    let type = String(contentType.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
    let head =
      Self.disposition(name) + "; filename=\"\(Self.escaped(fileName))\"\r\nContent-Type: \(type)"
    parts.append(Part(head: head, content: content))
  }

  /// Encodes the form and returns it with the value of its `Content-Type` header.
  ///
  /// - Parameter boundary: the separator of the fields; another is used if it occurs in one of
  ///   them.
  package func encoded(
    boundary: String = "speechkit-\(UUID().uuidString)"
  ) -> (contentType: String, body: Data) {
    var separator = boundary
    var number = 0
    while parts.contains(where: { Self.occurs(separator, in: $0.content) }) {
      number += 1
      separator = "\(boundary)-\(number)"
    }
    var body = Data()
    body.reserveCapacity(parts.reduce(64) { $0 + $1.content.count + $1.head.utf8.count + 128 })
    for part in parts {
      body.append(contentsOf: "--\(separator)\r\n\(part.head)\r\n\r\n".utf8)
      body.append(part.content)
      body.append(contentsOf: "\r\n".utf8)
    }
    body.append(contentsOf: "--\(separator)--\r\n".utf8)
    return ("multipart/form-data; boundary=\(separator)", body)
  }

  private static func disposition(_ name: String) -> String {
    "Content-Disposition: form-data; name=\"\(escaped(name))\""
  }

  /// Escapes the same characters as browsers do.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "%22"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func occurs(_ boundary: String, in content: Data) -> Bool {
    let boundary = Array(boundary.utf8)
    guard let first = boundary.first else { return true }
    return content.withUnsafeBytes { bytes in
      guard var start = bytes.baseAddress else { return false }
      let end = start + bytes.count
      while end - start >= boundary.count, let match = memchr(start, Int32(first), end - start) {
        start = UnsafeRawPointer(match)
        if end - start >= boundary.count, memcmp(start, boundary, boundary.count) == 0 {
          return true
        }
        start += 1
      }
      return false
    }
  }
}
