import Foundation

/// A violation of the protocol by the peer.
enum WebSocketProtocolError: Error, Hashable, Sendable {
  /// An invalid frame, and the reason.
  case malformed(String)
  /// A text message that is not valid UTF-8.
  case invalidText
  /// A message larger than the limit in bytes.
  case tooLarge(limit: Int)

  /// The close frame for the peer.
  var close: WebSocketClose {
    switch self {
    case .malformed(let text): WebSocketClose(code: 1002, reason: text)
    case .invalidText: WebSocketClose(code: 1007, reason: "text is not UTF-8")
    case .tooLarge(let limit): WebSocketClose(code: 1009, reason: "more than \(limit) bytes")
    }
  }

  /// The error for the caller.
  var failure: HTTPFailure {
    switch self {
    case .malformed(let text):
      .malformed("The server violated the WebSocket protocol: \(text).")
    case .invalidText: .malformed("The server sent text that is not UTF-8.")
    case .tooLarge(let limit): .tooLarge(limit: limit)
    }
  }
}

/// An event parsed from the peer's bytes.
enum WebSocketEvent: Hashable, Sendable {
  case message(WebSocketMessage)
  case ping([UInt8])
  case pong([UInt8])
  case close(WebSocketClose)
}

/// Parses a server's messages from bytes that may be split anywhere.
///
/// Input is not trusted: a declared length reserves no memory, and a message beyond the limit is
/// refused when its frame announces it. Bytes after a close frame or an error are ignored.
struct WebSocketParser: Sendable {
  /// The maximum size of a message in bytes.
  let messageLimit: Int

  private enum Stage {
    case head
    case payload(remaining: Int)
    case over
  }

  private var stage = Stage.head
  private var head: [UInt8] = []
  private var isFinal = true
  private var opcode = WebSocketFrame.Opcode.continuation
  /// The payload of the current control frame.
  private var control: [UInt8] = []
  /// The current message, and its kind once it has begun.
  private var message: [UInt8] = []
  private var kind: WebSocketFrame.Opcode?

  init(messageLimit: Int) {
    self.messageLimit = messageLimit
    head.reserveCapacity(10)
  }

  /// Parses further bytes. Events before an error are included.
  mutating func consume(
    _ bytes: UnsafeRawBufferPointer, into events: inout [WebSocketEvent]
  ) throws(WebSocketProtocolError) {
    var rest = bytes[...]
    do {
      while true {
        switch stage {
        case .over: return
        case .head:
          guard let byte = rest.popFirst() else { return }
          head.append(byte)
          if head.count == 2 { try beginHead() }
          if head.count == headLength { try beginPayload() }
        case .payload(let remaining):
          let piece = rest.prefix(remaining)
          guard !piece.isEmpty || remaining == 0 else { return }
          let bytes = UnsafeRawBufferPointer(rebasing: piece)
          if opcode.isControl { control += bytes } else { message += bytes }
          rest = rest.dropFirst(piece.count)
          stage = .payload(remaining: remaining - piece.count)
          if piece.count == remaining {
            stage = .head
            head.removeAll(keepingCapacity: true)
            if let event = try finishFrame() { events.append(event) }
          }
        }
      }
    } catch {
      stage = .over
      throw error
    }
  }

  /// The length of the head, as far as it is known; never reached before it is known.
  private var headLength: Int {
    guard head.count >= 2 else { return .max }
    return switch head[1] {
    case 126: 4
    case 127: 10
    default: 2
    }
  }

  private mutating func beginHead() throws(WebSocketProtocolError) {
    guard head[0] & 0x70 == 0 else { throw .malformed("reserved bits are set") }
    guard let opcode = WebSocketFrame.Opcode(rawValue: head[0] & 0x0F) else {
      throw .malformed("unknown kind of frame \(head[0] & 0x0F)")
    }
    self.opcode = opcode
    isFinal = head[0] & 0x80 != 0
    guard head[1] & 0x80 == 0 else { throw .malformed("a frame is masked") }
    if opcode.isControl {
      guard isFinal else { throw .malformed("a control frame is fragmented") }
      guard head[1] <= WebSocketFrame.controlLimit else {
        throw .malformed("a control frame is too long")
      }
    } else if opcode == .continuation {
      guard kind != nil else { throw .malformed("a continuation frame without a message") }
    } else {
      guard kind == nil else { throw .malformed("a message starts within another") }
      kind = opcode
    }
  }

  private mutating func beginPayload() throws(WebSocketProtocolError) {
    let short = head[1]
    var length = UInt64(short)
    if short >= 126 {
      let count = short == 126 ? 2 : 8
      length = head[2..<2 + count].reduce(0) { $0 << 8 | UInt64($1) }
      guard length >> 63 == 0 else { throw .malformed("a length has its top bit set") }
      guard length > (short == 126 ? 125 : 0xFFFF) else {
        throw .malformed("a length is not in its shortest form")
      }
    }
    if !opcode.isControl, length > UInt64(messageLimit - message.count) {
      throw .tooLarge(limit: messageLimit)
    }
    stage = .payload(remaining: Int(length))
  }

  private mutating func finishFrame() throws(WebSocketProtocolError) -> WebSocketEvent? {
    if opcode.isControl {
      defer { control = [] }
      switch opcode {
      case .ping: return .ping(control)
      case .pong: return .pong(control)
      default:
        let close = try Self.close(of: control)
        stage = .over
        return .close(close)
      }
    }
    guard isFinal, let kind else { return nil }
    defer {
      message = []
      self.kind = nil
    }
    guard kind == .text else { return .message(.binary(Data(message))) }
    guard let text = String(validating: message, as: UTF8.self) else { throw .invalidText }
    return .message(.text(text))
  }

  private static func close(of payload: [UInt8]) throws(WebSocketProtocolError) -> WebSocketClose {
    guard !payload.isEmpty else { return .withoutCode }
    guard payload.count >= 2 else { throw .malformed("a close code is cut") }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard WebSocketClose.isSendable(code) else { throw .malformed("close code \(code)") }
    guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
      throw .invalidText
    }
    return WebSocketClose(code: code, reason: reason)
  }
}
