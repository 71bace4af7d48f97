import AIServices
import Foundation

/// A packet with all its attachments.
struct SocketIOContent: Hashable, Sendable {
  var packet: SocketIOPacket
  var attachments: [Data] = []
}

/// Assembles packets and the attachments that follow them.
struct SocketIOAssembler: Sendable {
  /// The maximum number of attachments of a packet.
  let attachmentLimit: Int
  /// The maximum size of all attachments of a packet in bytes.
  let sizeLimit: Int

  private var open: SocketIOContent?
  private var size = 0

  init(attachmentLimit: Int = 16, sizeLimit: Int = 1 << 20) {
    self.attachmentLimit = attachmentLimit
    self.sizeLimit = sizeLimit
  }

  mutating func take(_ text: String) throws(SocketIOError) -> SocketIOContent? {
    guard open == nil else { throw .malformed("an attachment is missing") }
    let packet = try SocketIOPacket(text, attachmentLimit: attachmentLimit)
    let content = SocketIOContent(packet: packet)
    guard packet.attachmentCount > 0 else { return content }
    open = content
    size = 0
    return nil
  }

  mutating func take(_ data: Data) throws(SocketIOError) -> SocketIOContent? {
    guard var content = open else { throw .malformed("an attachment without a packet") }
    size += data.count
    guard size <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    content.attachments.append(data)
    let isComplete = content.attachments.count == content.packet.attachmentCount
    open = isComplete ? nil : content
    return isComplete ? content : nil
  }
}
