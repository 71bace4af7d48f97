/// A frame as defined by RFC 6455.
struct WebSocketFrame: Hashable, Sendable {
  enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue >= 0x8 }
  }

  /// The maximum payload of a control frame in bytes.
  static let controlLimit = 125

  var isFinal = true
  var opcode: Opcode
  var payload: [UInt8]

  /// The encoded frame; a client masks it, a server does not.
  func encoded(mask: UInt32?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 14)
    bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ...125:
      bytes.append(maskBit | UInt8(payload.count))
    case ...0xFFFF:
      bytes.append(maskBit | 126)
      Self.append(UInt64(payload.count), bytes: 2, to: &bytes)
    default:
      bytes.append(maskBit | 127)
      Self.append(UInt64(payload.count), bytes: 8, to: &bytes)
    }
    guard let mask else { return bytes + payload }
    Self.append(UInt64(mask), bytes: 4, to: &bytes)
    let start = bytes.count
    bytes += payload
    bytes.withUnsafeMutableBytes { buffer in
      Self.applyMask(mask, to: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
    }
    return bytes
  }

  private static func applyMask(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer) {
    let word = (UInt64(mask) << 32 | UInt64(mask)).bigEndian
    var index = 0
    while index + 8 <= bytes.count {
      let plain = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      bytes.storeBytes(of: plain ^ word, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < bytes.count {
      bytes[index] ^= UInt8(truncatingIfNeeded: mask >> (24 - 8 * (index & 3)))
      index += 1
    }
  }

  private static func append(_ number: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}

extension WebSocketMessage {
  /// The message as frames, each short enough that a ping does not wait long.
  func frames(pieceLimit: Int = 64 << 10) -> [WebSocketFrame] {
    let opcode: WebSocketFrame.Opcode
    let payload: [UInt8]
    switch self {
    case .text(let text): (opcode, payload) = (.text, Array(text.utf8))
    case .binary(let data): (opcode, payload) = (.binary, [UInt8](data))
    }
    guard payload.count > pieceLimit else {
      return [WebSocketFrame(opcode: opcode, payload: payload)]
    }
    return stride(from: 0, to: payload.count, by: pieceLimit).map { start in
      let end = min(start + pieceLimit, payload.count)
      return WebSocketFrame(
        isFinal: end == payload.count, opcode: start == 0 ? opcode : .continuation,
        payload: Array(payload[start..<end]))
    }
  }
}
