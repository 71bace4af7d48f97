import Foundation

/// An event of the Wyoming protocol: a type, an object in JSON, and raw bytes such as audio.
///
/// On the wire it is a line of JSON with the lengths of what follows it. The same type serves
/// clients and servers.
package struct WyomingEvent: Sendable, Equatable {
  /// The type, such as `audio-chunk`.
  package var type: String
  /// The data, as an object in JSON; empty for none.
  package var data: Data
  /// The raw bytes; empty for none.
  package var payload: Data

  package init(type: String, data: Data = Data(), payload: Data = Data()) {
    self.type = type
    self.data = data
    self.payload = payload
  }

  /// Creates an event from a value that becomes its data.
  package init(_ type: String, _ value: some Encodable, payload: Data = Data()) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Our own values are objects of texts and whole numbers, which can always be encoded.
    self.init(type: type, data: (try? encoder.encode(value)) ?? Data(), payload: payload)
  }

  /// Decodes the data; `nil` if it has another form.
  package func value<Value: Decodable>(as type: Value.Type) -> Value? {
    try? JSONDecoder().decode(Value.self, from: data.isEmpty ? Data("{}".utf8) : data)
  }

  /// The bytes on the wire.
  package var encoded: Data {
    let header = Header(
      type: type, data_length: data.isEmpty ? nil : data.count,
      payload_length: payload.isEmpty ? nil : payload.count)
    var bytes = WyomingEvent("", header).data
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(data)
    bytes.append(payload)
    return bytes
  }

  /// The header, with the names of the protocol.
  private struct Header: Encodable {
    var type: String
    // Its readers ignore the value, and some expect it.
    var version = "1.10.2"
    var data_length: Int?
    var payload_length: Int?
  }
}
