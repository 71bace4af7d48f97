import Foundation

/// The bytes to send next: control frames precede messages, but never interrupt a frame.
///
/// Offered bytes stay at their address until they are sent, as TLS requires.
struct WebSocketOutput: ~Copyable {
  private static let capacity = 64 << 10

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
  private var start = 0
  private var end = 0
  /// The rest of a frame that is partly in the buffer.
  private var frame: ArraySlice<UInt8> = []
  private var controls: [[UInt8]] = []

  deinit {
    buffer.deallocate()
  }

  /// True if no bytes are offered.
  var isEmpty: Bool { start == end }

  /// The offered bytes.
  var pending: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

  /// Removes bytes that have been sent.
  mutating func drop(_ count: Int) {
    // They may contain a key.
    if let base = buffer.baseAddress { explicit_bzero(base + start, count) }
    start += count
  }

  /// Offers the request of a handshake.
  mutating func putHead(of handshake: WebSocketHandshake) throws(HTTPFailure) {
    var bytes: [UInt8] = []
    // Large enough that growing leaves no copies of secrets.
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

  /// Enqueues a control frame before the next message.
  mutating func putControl(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) {
    // A peer that pings without reading the answers receives only the latest.
    if opcode == .pong, controls.count >= 16 { controls.removeLast() }
    controls.append(
      WebSocketFrame(opcode: opcode, payload: payload).encoded(mask: .random(in: .min ... .max)))
  }

  /// Fills the buffer, which must be empty.
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
