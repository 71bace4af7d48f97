import AIServices
import Foundation

/// Finds values whose names suggest a secret: members of JSON, also in streams and within text,
/// parameters of addresses, fields of forms, and the user in an address.
struct NamedSecrets {
  struct Place {
    var range: Range<Int>
    /// True if the masked value has to remain a number.
    var isNumber = false
  }

  /// The maximum length of a name.
  private static let longestName = 64

  let members: SecretNames
  let parameters: SecretNames

  /// The places of secrets. The bytes of a form begin with the name of a parameter.
  func places(in bytes: [UInt8], isForm: Bool) -> [Place] {
    bytes.withUnsafeBufferPointer { bytes in
      var places: [Place] = isForm ? parameter(at: 0, bytes) : []
      for index in bytes.indices {
        switch bytes[index] {
        case UInt8(ascii: "\""): places += member(at: index + 1, bytes)
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"):
          places += parameter(at: index + 1, bytes)
        case UInt8(ascii: ":"): places += user(at: index, bytes)
        default: break
        }
      }
      return places
    }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  // MARK: JSON and forms with parts

  private func member(at start: Int, _ bytes: Bytes) -> [Place] {
    guard
      let end = bytes[start..<min(bytes.count, start + Self.longestName)]
        .firstIndex(of: UInt8(ascii: "\"")),
      end > start, members.contains(String(decoding: bytes[start..<end], as: UTF8.self))
    else { return [] }
    let next = afterBlanks(end + 1, bytes)
    guard next < bytes.count else { return [] }
    if bytes[next] == UInt8(ascii: ":") {
      var place = afterBlanks(next + 1, bytes)
      return values(at: &place, bytes)
    }
    return formField(at: start, end + 1, bytes)
  }

  /// Returns the value after `"name": `, with everything in it if it is an array or an object.
  private func values(at index: inout Int, _ bytes: Bytes) -> [Place] {
    guard index < bytes.count else { return [] }
    guard bytes[index] == UInt8(ascii: "[") || bytes[index] == UInt8(ascii: "{") else {
      return scalar(at: &index, bytes)
    }
    var places: [Place] = []
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        index += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        index += 1
        if depth == 0 { return places }
      default:
        let found = scalar(at: &index, bytes)
        let next = afterBlanks(index, bytes)
        let isName = next < bytes.count && bytes[next] == UInt8(ascii: ":")
        if !isName { places += found }
      }
    }
    return places
  }

  private func scalar(at index: inout Int, _ bytes: Bytes) -> [Place] {
    let start = index
    switch bytes[start] {
    case UInt8(ascii: "\""):
      index += 1
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      let end = min(index, bytes.count)
      index = min(end + 1, bytes.count)
      return [Place(range: start + 1..<end)]
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
      return [Place(range: start..<index, isNumber: true)]
    default:
      index += 1
      return []
    }
  }

  /// Returns the value of a field in a multipart form, whose name has been read.
  private func formField(at name: Int, _ end: Int, _ bytes: Bytes) -> [Place] {
    let before = Array("name=\"".utf8)
    let head = Array("\r\n\r\n".utf8)
    guard name >= before.count, bytes[name - before.count..<name].elementsEqual(before),
      let value = bytes[end..<min(bytes.count, end + 512)].firstRange(of: head)?.upperBound
    else { return [] }
    let stop = bytes[value...].firstRange(of: Array("\r\n--".utf8))?.lowerBound
    return [Place(range: value..<(stop ?? bytes.count))]
  }

  private func afterBlanks(_ start: Int, _ bytes: Bytes) -> Int {
    bytes[start...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
  }

  // MARK: Addresses

  private func parameter(at start: Int, _ bytes: Bytes) -> [Place] {
    guard
      let end = bytes[start..<min(bytes.count, start + Self.longestName)]
        .firstIndex(of: UInt8(ascii: "=")), end > start
    else { return [] }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard parameters.contains(name) || members.contains(name) else { return [] }
    return [Place(range: end + 1..<stop(after: end + 1, at: "&#\"'<>;\\", bytes))]
  }

  private func user(at colon: Int, _ bytes: Bytes) -> [Place] {
    let start = colon + 3
    guard start < bytes.count, bytes[colon + 1] == UInt8(ascii: "/"),
      bytes[colon + 2] == UInt8(ascii: "/")
    else { return [] }
    let end = stop(after: start, at: "/?#\"'<>\\", bytes)
    guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return [] }
    return [Place(range: start..<at)]
  }

  /// The end of a part of an address: one of those characters, a space or a control character.
  private func stop(after start: Int, at ends: String, _ bytes: Bytes) -> Int {
    bytes[start...].firstIndex { $0 <= 0x20 || ends.utf8.contains($0) } ?? bytes.count
  }
}
