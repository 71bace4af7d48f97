import AIServices
import Foundation

/// The ids in a message that a client makes up anew each time: what holds a UUID, and in the frames of Phoenix and the
/// packets of Socket.IO the numbers by which answers find their questions.
///
/// Numbers anywhere else are what somebody said, and no ids.
struct ClientIDs {
  struct ID: Hashable {
    enum Kind { case name, number }
    var kind: Kind
    var value: String
  }

  private struct Place {
    var range: Range<Int>
    var kind: ID.Kind
  }

  private let bytes: [UInt8]
  private let places: [Place]

  /// - Parameter isSent: whether the client sent it; the server has numbers of its own.
  init(_ text: String, isSent: Bool) {
    bytes = Array(text.utf8)
    places = (Self.numbers(in: text, bytes, isSent: isSent) + Self.names(in: bytes))
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The ids in order.
  var ids: [ID] { places.map { ID(kind: $0.kind, value: text(of: $0)) } }

  /// The text with each id replaced.
  func replaced(by other: (ID) -> String) -> String {
    var result: [UInt8] = []
    var end = 0
    for place in places {
      result += bytes[end..<place.range.lowerBound]
      result += other(ID(kind: place.kind, value: text(of: place))).utf8
      end = place.range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  private func text(of place: Place) -> String {
    String(decoding: bytes[place.range], as: UTF8.self)
  }

  // MARK: Names

  /// UUIDs, with what is behind them in the same word.
  private static func names(in bytes: [UInt8]) -> [Place] {
    let hyphens: Set = [8, 13, 18, 23]
    let length = 36
    var places: [Place] = []
    var index = 0
    while index + length <= bytes.count {
      let isUUID =
        bytes[index + 8] == UInt8(ascii: "-") && (index == 0 || !isHex(bytes[index - 1]))
        && (0..<length).allSatisfy {
          hyphens.contains($0) ? bytes[index + $0] == UInt8(ascii: "-") : isHex(bytes[index + $0])
        }
      guard isUUID else {
        index += 1
        continue
      }
      let end = bytes[(index + length)...].firstIndex { !isOfWord($0) } ?? bytes.count
      places.append(Place(range: index..<end, kind: .name))
      index = end
    }
    return places
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    "0123456789abcdefABCDEF".utf8.contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: isDigit(byte)
    }
  }

  // MARK: Numbers

  private static func numbers(in text: String, _ bytes: [UInt8], isSent: Bool) -> [Place] {
    switch bytes.first {
    case UInt8(ascii: "["): phoenixReferences(in: text, bytes)
    case UInt8(ascii: "4"): acknowledgement(in: bytes, isSent: isSent)
    default: []
    }
  }

  /// The first two of the five parts of a frame of Phoenix.
  private static func phoenixReferences(in text: String, _ bytes: [UInt8]) -> [Place] {
    guard let value = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8)),
      let parts = value.arrayValue, parts.count == 5, parts[2].stringValue != nil,
      parts[3].stringValue != nil
    else { return [] }
    var places: [Place] = []
    var index = 1
    for _ in 0..<2 {
      guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ",")),
        let start = bytes[index..<end].firstIndex(where: isDigit)
      else {
        index = (bytes[index...].firstIndex(of: UInt8(ascii: ",")) ?? index) + 1
        continue
      }
      let stop = bytes[start..<end].firstIndex { !isDigit($0) } ?? end
      places.append(Place(range: start..<stop, kind: .number))
      index = end + 1
    }
    return places
  }

  /// The number of a packet of Socket.IO that asks for an acknowledgement, or is one.
  private static func acknowledgement(in bytes: [UInt8], isSent: Bool) -> [Place] {
    let kinds = isSent ? "25" : "36"
    guard bytes.count > 2, kinds.utf8.contains(bytes[1]) else { return [] }
    var index = 2
    func digits() -> Range<Int> {
      index..<(bytes[index...].firstIndex { !isDigit($0) } ?? bytes.count)
    }
    // How many attachments there are.
    if "56".utf8.contains(bytes[1]), let hyphen = bytes[index...].firstIndex(of: UInt8(ascii: "-"))
    {
      index = hyphen + 1
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
      index = (bytes[index...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count - 1) + 1
    }
    let number = digits()
    guard !number.isEmpty, number.upperBound < bytes.count,
      bytes[number.upperBound] == UInt8(ascii: "[")
    else { return [] }
    return [Place(range: number, kind: .number)]
  }
}
