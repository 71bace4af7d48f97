import AIServiceTesting
import Foundation

extension ServiceExchange {
  /// OpenAI's streamed chat; the answer repeats the question.
  static let openAI = ServiceExchange { request in
    .events([
      .send(openAIChunk(#"{"role":"assistant","content":""}"#)),
      .send(openAIChunk(#"{"content":"Echo: "}"#)),
      .send(openAIChunk("{\"content\":\(json(request.question))}")),
      .send(openAIChunk("{}", finish: "\"stop\"")),
      .send("data: [DONE]\n\n"),
    ])
  } structuredReply: { _ in
    .events([
      .send(openAIChunk(#"{"role":"assistant","content":"{\"answer\":"}"#)),
      .send(openAIChunk(#"{"content":" \"yes\"}"}"#)),
      .send(openAIChunk("{}", finish: "\"stop\"")),
      .send("data: [DONE]\n\n"),
    ])
  } isExpected: { content in
    content.text?.hasPrefix("Echo: Hello") == true
  }

  /// Anthropic's messages, streamed.
  static let anthropic = ServiceExchange { request in
    anthropicAnswer(["Echo: ", request.question])
  } structuredReply: { _ in
    anthropicAnswer([#"{"answer":"#, #" "yes"}"#])
  } isExpected: { content in
    content.text?.hasPrefix("Echo: Hello") == true
  }

  private static func anthropicAnswer(_ pieces: [String]) -> ScriptedReply {
    let deltas = pieces.map { piece in
      event(
        "content_block_delta",
        #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"#
          + json(piece) + "}}")
    }
    let events =
      [
        event(
          "message_start",
          #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","#
            + #""model":"claude-haiku-5-5","content":[],"stop_reason":null,"#
            + #""usage":{"input_tokens":5,"output_tokens":1}}}"#),
        event(
          "content_block_start",
          #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
        event("ping", #"{"type":"ping"}"#),
      ] + deltas + [
        event("content_block_stop", #"{"type":"content_block_stop","index":0}"#),
        event(
          "message_delta",
          #"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"#
            + #""usage":{"output_tokens":7}}"#),
        event("message_stop", #"{"type":"message_stop"}"#),
      ]
    return .events(events.map { .send($0) })
  }

  /// ElevenLabs' streamed speech; the audio consists of the text's bytes, so that answers can be
  /// distinguished.
  static let elevenLabs = ServiceExchange(answersInJSON: false, hasEndMark: false) { request in
    .chunked(
      [.send("ID3"), .send("Echo: "), .send(request.question)],
      headers: [
        "Content-Type": "audio/mpeg", "request-id": "req_1",
        "character-cost": "\(request.question.count)",
      ])
  } isExpected: { content in
    guard let sound = content.audioContent, sound.format == .mp3 else { return false }
    return String(decoding: sound.data, as: UTF8.self).hasPrefix("ID3Echo: Hello")
  }

  private static func openAIChunk(_ delta: String, finish: String = "null") -> String {
    """
    data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763683200,\
    "model":"gpt-5.6-terra","system_fingerprint":"fp_1","choices":[{"index":0,"delta":\(delta),\
    "logprobs":null,"finish_reason":\(finish)}],"obfuscation":"x"}\n\n
    """
  }

  private static func event(_ name: String, _ data: String) -> String {
    "event: \(name)\ndata: \(data)\n\n"
  }

  static func json(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }
}

extension RecordedRequest {
  /// The body as JSON.
  var json: SendableValue {
    (try? JSONDecoder().decode(SendableValue.self, from: body)) ?? .null
  }

  /// The prompt of the request, for any vendor.
  var question: String {
    if let text = json["text"]?.stringValue { return text }
    let content = json["messages"]?.arrayValue?.last?["content"]
    return content?.stringValue ?? content?.arrayValue?.first?["text"]?.stringValue ?? ""
  }
}

extension SendableValue {
  subscript(name: String) -> SendableValue? { dictionaryValue?[name] }
}
