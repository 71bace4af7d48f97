import Foundation

/// Assembles a transcription from events or from a complete response.
struct OpenAITranscriptionAssembler: ReplyAssembler {
  private struct Answer: Decodable {
    struct Word: Decodable {
      var word: String
      var start: Double
      var end: Double
    }

    var type: String?
    var text: String?
    var delta: String?
    var language: String?
    var duration: Double?
    var words: [Word]?
    var usage: OpenAITranscriptionUsage?
  }

  let client: ServiceClient
  let model: String
  private var reply: TranscriptionReply?
  private var heard = ""
  private(set) var isComplete = false

  init(client: ServiceClient, model: String) {
    self.client = client
    self.model = model
  }

  mutating func take(_ event: ServerSentEvent) throws(AIServiceError) -> [TranscriptionEvent] {
    guard event.data != "[DONE]" else {
      isComplete = true
      return []
    }
    let answer = try client.decode(Answer.self, from: Data(event.data.utf8))
    switch answer.type {
    case "transcript.text.delta": return hear(answer.delta ?? "")
    case "transcript.text.done":
      keep(answer)
      isComplete = true
      return []
    case nil:
      // Older servers send whole segments without a type or an end marker.
      let segment = (answer.text ?? "").trimmingCharacters(in: .whitespaces)
      guard !segment.isEmpty else { return [] }
      let events = hear(heard.isEmpty ? segment : " " + segment)
      reply = TranscriptionReply(text: heard)
      return events
    case .some: return []
    }
  }

  mutating func take(whole answer: Data) throws(AIServiceError) -> [TranscriptionEvent] {
    let answer = try client.decode(Answer.self, from: answer)
    guard answer.text != nil else {
      throw .unexpectedResponseFormat(
        "\(client.name) returned no text. Check the address; it may belong to another "
          + "service.")
    }
    keep(answer)
    return []
  }

  mutating func finish() -> [TranscriptionEvent]? {
    guard isComplete || reply != nil else { return nil }
    var reply = reply ?? TranscriptionReply(text: heard)
    reply.usage.requests = 1
    client.record(reply.usage, model: model)
    return [.finished(reply)]
  }

  private mutating func hear(_ text: String) -> [TranscriptionEvent] {
    guard !text.isEmpty else { return [] }
    heard += text
    return [.text(text)]
  }

  private mutating func keep(_ answer: Answer) {
    reply = TranscriptionReply(
      text: (answer.text ?? heard).trimmingCharacters(in: .whitespacesAndNewlines),
      language: answer.language,
      words: (answer.words ?? []).map {
        TranscribedWord(
          text: $0.word.trimmingCharacters(in: .whitespaces), start: $0.start, end: $0.end)
      },
      usage: ServiceUsage(
        inputTokens: answer.usage?.inputTokens ?? 0, outputTokens: answer.usage?.outputTokens ?? 0,
        audioSeconds: answer.usage?.seconds ?? answer.duration ?? 0))
  }
}
