import Foundation

/// The text of one utterance over one connection: events of the server in, text out.
///
/// The server names the item of an utterance when the utterance is committed. Text of other items
/// is ignored, in whatever order events arrive.
struct OpenAILiveTranscript {
  /// The outcome of an item.
  private enum End {
    case completed(OpenAILiveEvent)
    case failed(AIServiceError)
  }

  /// The maximum size of the texts of all items in bytes. Speech is never that long.
  private static let textLimit = 1 << 20

  private let client: ServiceClient
  /// The item of the utterance, once it is known.
  private(set) var item: String?
  private var texts: [String: String] = [:]
  private var newest: String?
  private var ends: [String: End] = [:]
  private var size = 0
  private let earlierItem: String?

  /// Creates an empty transcript.
  ///
  /// - Parameter earlierItem: the item of the last utterance over the connection.
  init(client: ServiceClient, earlierItem: String? = nil) {
    self.client = client
    self.earlierItem = earlierItem
  }

  /// The text so far.
  var text: String {
    let text = (item ?? newest).flatMap { texts[$0] } ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Handles an event of the server.
  ///
  /// - Parameter isCommitted: true if the utterance has ended.
  /// - Returns: the whole text, once it is known.
  /// - Throws: `AIServiceError` if the server reports a failure or sends something else than
  ///   events; `OpenAILiveConnection.Loss` if the session is over.
  mutating func take(
    _ message: WebSocketMessage, isCommitted: Bool
  ) throws -> TranscriptionReply? {
    let (event, data) = try OpenAILiveConnection.event(in: message, of: client)
    switch event.type {
    case "input_audio_buffer.committed":
      guard item == nil, let id = event.itemID, id != earlierItem else { return nil }
      guard isCommitted else {
        throw AIServiceError.unexpectedResponseFormat(
          "\(client.name) ended an utterance by itself, although its session says that the client "
            + "does. Use another server, or transcribe without a live connection.")
      }
      item = id
    case "conversation.item.input_audio_transcription.delta":
      guard let id = try known(event), let delta = event.delta else { return nil }
      try grow(by: delta)
      texts[id, default: ""] += delta
      newest = id
    case "conversation.item.input_audio_transcription.completed":
      guard let id = try known(event) else { return nil }
      try grow(by: event.transcript ?? "")
      ends[id] = .completed(event)
    case "conversation.item.input_audio_transcription.failed":
      guard let id = try known(event) else { return nil }
      try grow(by: id)
      ends[id] = .failed(
        client.reportedFailure(in: data, status: event.error?.status ?? 200)
          ?? .providerError("\(client.name) could not transcribe the utterance. Try again."))
    default: return nil
    }
    return try item.flatMap { ends[$0] }.map(reply)
  }

  /// The item of an event, unless the item is over or not that of the utterance.
  private func known(_ event: OpenAILiveEvent) throws -> String? {
    guard let id = event.itemID, id != earlierItem, item == nil || id == item, ends[id] == nil
    else { return nil }
    return id
  }

  private mutating func grow(by text: String) throws(AIServiceError) {
    size += text.utf8.count + 64
    guard size <= Self.textLimit else {
      throw .unexpectedResponseFormat(
        "\(client.name) sent more text than an utterance can have. Check the address; it may "
          + "belong to another service.")
    }
  }

  private func reply(_ end: End) throws(AIServiceError) -> TranscriptionReply {
    switch end {
    case .failed(let error): throw error
    case .completed(let event):
      TranscriptionReply(
        text: event.transcript?.trimmingCharacters(in: .whitespacesAndNewlines) ?? text,
        usage: ServiceUsage(
          requests: 1, inputTokens: event.usage?.inputTokens ?? 0,
          outputTokens: event.usage?.outputTokens ?? 0, audioSeconds: event.usage?.seconds ?? 0))
    }
  }
}
