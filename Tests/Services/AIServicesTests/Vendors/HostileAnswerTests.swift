import AIServiceTesting
import Foundation
import SpeechConcurrency
import TestSupport
import Testing

@testable import AIServices

/// Tests of arbitrary responses to vendors' requests: each gives a reply or an error of the
/// toolkit, and the same one however the response is split.
struct HostileAnswerTests {
  private static let stream = "text/event-stream"
  private static let json = "application/json"

  /// A request and possible responses.
  fileprivate struct Question: Sendable {
    var contentType: String
    var answers: HostileBytes
    /// Sends the request and describes the result.
    var ask: @Sendable (any AIServiceProvider) async throws -> String

    init(
      _ contentType: String, _ answers: [String], seed: UInt64,
      _ ask: @escaping @Sendable (any AIServiceProvider) async throws -> String
    ) {
      self.contentType = contentType
      self.answers = .json(answers, seed: seed)
      self.ask = ask
    }
  }

  @Test(arguments: Vendor.allCases)
  func `are read or refused`(_ vendor: Vendor) async throws {
    let transport = CannedTransport()
    let provider = try await vendor.provider(
      at: try #require(URL(string: "https://example.com/")),
      through: ServiceEnvironment(transport: transport, retry: .never))
    var questions = vendor.questions
    var successes = 0
    let rounds = Endurance.count(full: 2_000, short: 200)
    for _ in 0..<rounds {
      let index = questions[0].answers.next(questions.count)
      let bytes = questions[index].answers.next()
      // Occasionally as the body of an error.
      let status = questions[index].answers.next(8) == 0 ? [400, 401, 429, 500][index % 4] : 200
      let pieces = questions[index].answers.cut(bytes, atMost: 200)
      var outcomes: [String] = []
      for body in [[Data(bytes)], pieces] {
        transport.answer(status, questions[index].contentType, body)
        do {
          outcomes.append(try await questions[index].ask(provider))
          successes += 1
        } catch let error as AIServiceError {
          outcomes.append("\(error)")
        } catch {
          Issue.record("\(bytes) fails with \(error)")
        }
      }
      guard outcomes.count == 2, outcomes[0] == outcomes[1] else {
        Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(outcomes)")
        return
      }
    }
    // Responses are useful only if some of them are accepted.
    #expect(successes > rounds / 20)
  }

  fileprivate static let openAI = [
    Question(
      stream,
      [
        """
        data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}

        data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"time","arguments":"{}"}}]},"finish_reason":null}]}

        data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}

        data: [DONE]


        """,
        "data: {\"error\":{\"message\":\"no\",\"type\":\"server_error\",\"code\":null}}\n\n",
      ], seed: 21, chat),
    Question(
      json,
      [
        #"{"id":"c","object":"chat.completion","choices":[{"index":0,"#
          + #""message":{"role":"assistant","content":"Hi","tool_calls":null,"refusal":null},"#
          + #""finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        #"{"error":{"message":"no","type":"invalid_request_error","param":"model","code":"x"}}"#,
      ], seed: 22, chat),
    Question(
      json,
      [
        #"{"data":[{"index":0,"embedding":[0.5,-1e-3,2]}],"usage":{"prompt_tokens":1}}"#,
        #"{"data":[{"embedding":"AACAPwAAAEA="}]}"#,
      ], seed: 23
    ) { provider in
      let provider = try #require(provider as? OpenAIProvider)
      return "\(try await provider.embed(EmbeddingRequest(["a"])).vectors)"
    },
    Question(
      stream,
      [
        "data: {\"type\":\"transcript.text.delta\",\"delta\":\"hello\"}\n\n"
          + "data: {\"type\":\"transcript.text.done\",\"text\":\"hello there\",\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}\n\n",
        "data: {\"text\":\"one\"}\n\ndata: {\"text\":\"two\"}\n\n",
      ], seed: 24, transcribe),
    Question(
      json,
      [
        #"{"text":"hello","language":"en","duration":1.5,"words":[{"word":"hello","start":0.1,"#
          + #""end":0.5}],"usage":{"type":"duration","seconds":2}}"#
      ], seed: 25, transcribe),
  ]

  fileprivate static let anthropic = [
    Question(
      stream,
      [
        """
        event: message_start
        data: {"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":5,"output_tokens":1}}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}

        event: message_stop
        data: {"type":"message_stop"}


        """,
        """
        event: content_block_start
        data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"time","input":{}}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":1}

        event: message_stop
        data: {"type":"message_stop"}


        """,
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"no\"}}\n\n",
      ], seed: 26, chat),
    Question(
      json,
      [
        #"{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"Hi"},"#
          + #"{"type":"tool_use","id":"t","name":"time","input":{"a":1}}],"#
          + #""stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}"#,
        #"{"type":"error","error":{"type":"invalid_request_error","message":"no"},"#
          + #""request_id":"r"}"#,
      ], seed: 27, chat),
  ]

  fileprivate static let elevenLabs = [
    Question(
      json,
      [
        #"{"audio_base64":"QUI=","alignment":{"characters":["H","i"],"#
          + #""character_start_times_seconds":[0.0,0.1],"character_end_times_seconds":[0.1,"#
          + #"0.2]}}"#
          + "\n" + #"{"audio_base64":"Q0Q=","alignment":null,"normalized_alignment":null}"# + "\n",
        #"{"detail":{"status":"quota_exceeded","message":"no"}}"#,
      ], seed: 28
    ) { provider in
      let provider = try #require(provider as? ElevenLabsProvider)
      let reply = try await provider.speak(SpeechRequest("Hi", format: .pcm, wantsTimings: true))
      var told = ""
      for try await piece in reply.pieces { told += "\(piece.audio as NSData) \(piece.timings)" }
      return told
    },
    Question(
      json,
      [
        #"{"voices":[{"voice_id":"v1","name":"Rachel","labels":{"gender":"female","#
          + #""language":"en","use_case":null},"description":"Calm.","#
          + #""verified_languages":[{"language":"en"}]}],"has_more":true,"next_page_token":"t"}"#,
        #"{"voices":[{"voice_id":"v2","name":null,"labels":null}],"has_more":false}"#,
        #"{"detail":[{"loc":["query","x"],"msg":"field required","type":"missing"}]}"#,
      ], seed: 29
    ) { provider in
      "\(try await #require(provider as? ElevenLabsProvider).voices())"
    },
  ]

  @Sendable private static func chat(_ provider: any AIServiceProvider) async throws -> String {
    "\(try await #require(provider as? any ChatService).reply(to: ChatRequest("Hi")))"
  }

  @Sendable private static func transcribe(_ provider: any AIServiceProvider) async throws -> String
  {
    let provider = try #require(provider as? OpenAIProvider)
    return "\(try await provider.transcription(of: TranscriptionRequest(audio: Data("RIFF".utf8))))"
  }
}

extension Vendor {
  fileprivate var questions: [HostileAnswerTests.Question] {
    switch self {
    case .openAI: HostileAnswerTests.openAI
    case .anthropic: HostileAnswerTests.anthropic
    case .elevenLabs: HostileAnswerTests.elevenLabs
    }
  }
}

/// A transport with scripted responses and without a network.
private final class CannedTransport: HTTPTransport {
  private let response = Guarded<(status: Int, contentType: String, body: [Data])>((200, "", []))

  func answer(_ status: Int, _ contentType: String, _ body: [Data]) {
    response.withLock { $0 = (status, contentType, body) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (status, contentType, body) = response.withLock { $0 }
    let rest = Guarded(body[...])
    return HTTPResponse(
      status: status, headers: ["Content-Type": contentType],
      body: HTTPBody { rest.withLock { $0.popFirst() } })
  }
}
