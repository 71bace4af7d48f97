import Foundation

/// What goes out next: control frames before messages, but never within a frame.
///
/// The bytes on offer stay where they are until they are sent, as TLS demands.
struct WebSocketOutput: ~Copyable {
  private static let capacity = 64 << 10

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
  private var start = 0
  private var end = 0
  /// The frame that is partly in the buffer.
  private var frame: ArraySlice<UInt8> = []
  private var controls: [[UInt8]] = []

  deinit {
    buffer.deallocate()
  }

  /// Whether nothing is on offer.
  var isEmpty: Bool { start == end }

  /// What is on offer.
  var pending: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

  /// Takes back what was sent.
  mutating func drop(_ count: Int) {
    // It may have been a key.
    if let base = buffer.baseAddress { explicit_bzero(base + start, count) }
    start += count
  }

  /// Puts the request for a WebSocket up for sending.
  mutating func putHead(of handshake: WebSocketHandshake) throws(HTTPFailure) {
    var bytes: [UInt8] = []
    // Enough for growing to leave no copies of secrets behind.
    bytes.reserveCapacity(Self.capacity)
    handshake.writeHead(to: &bytes)
    guard bytes.count <= Self.capacity else {
      throw .invalidRequest("The header fields are longer than \(Self.capacity) bytes.")
    }
    bytes.withUnsafeMutableBytes { source in
      buffer.copyMemory(from: UnsafeRawBufferPointer(source))
      if let start = source.baseAddress { explicit_bzero(start, source.count) }
    }
    start = 0
    end = bytes.count
  }

  /// Puts a control frame before the next message.
  mutating func putControl(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) {
    // Somebody who pings without reading the answers gets the latest only.
    if opcode == .pong, controls.count >= 16 { controls.removeLast() }
    controls.append(
      WebSocketFrame(opcode: opcode, payload: payload).encoded(mask: .random(in: .min ... .max)))
  }

  /// Fills the buffer, which has to be empty.
  mutating func refill(from next: () -> [UInt8]?) {
    start = 0
    end = 0
    while end < Self.capacity {
      if frame.isEmpty {
        guard let following = controls.isEmpty ? next() : controls.removeFirst() else { return }
        frame = following[...]
      }
      let piece = frame.prefix(Self.capacity - end)
      piece.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyMemory(from: source)
      }
      end += piece.count
      frame = frame.dropFirst(piece.count)
    }
  }
}
