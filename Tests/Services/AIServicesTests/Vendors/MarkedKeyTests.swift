import AIServiceTesting
import Foundation
import SpeechConcurrency
import Testing

/// Tests that a recognisable key does not leak on any path or in any failure.
struct MarkedKeyTests {
  private static let key = "sk-marked-0123456789/+=-canary-ABCDEFGH"

  private let server: LoopbackServer
  private let environment: ServiceEnvironment
  private let credentials = AICredentialManager()

  init() async throws {
    server = try LoopbackServer()
    environment = ServiceEnvironment(
      transport: CurlTransport(offline: OfflineMode()), clock: ServiceClock(SkippingClock()))
    for id in ["openai", "anthropic", "elevenlabs"] {
      try await credentials.store(
        credential: AICredential(providerID: id, type: .apiKey, name: "Test"),
        value: SecureString(Self.key))
    }
  }

  enum Path: CaseIterable {
    case chat, embedding, speech, transcription, access, ownProvider
    case messages, timedSpeech, voices
  }

  enum FailureCase: CaseIterable {
    case status400, status401, status403, status404, status413, status422, status429, status500
    case errorInAnswer, errorInStream, detailInAnswer, redirect, notJSON, webPage, cut, longHeader

    /// The key in all the ways in which a service may repeat it.
    func reply(_ request: RecordedRequest) -> ScriptedReply {
      let base64 = Data(MarkedKeyTests.key.utf8).base64EncodedString()
      let percent =
        MarkedKeyTests.key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let echo =
        "\(MarkedKeyTests.key) \(base64) \(percent) \(MarkedKeyTests.key.prefix(14)) "
        + request.headers.fields.map(\.value).joined(separator: " ").filter { $0 != "\"" }
      let error =
        "{\"message\":\"\(echo)\",\"code\":\"\(MarkedKeyTests.key)\",\"type\":\"\(base64)\"}"
      let headers: HTTPHeaders = [
        "x-request-id": MarkedKeyTests.key, "Retry-After": MarkedKeyTests.key,
        "WWW-Authenticate": MarkedKeyTests.key,
      ]
      func failing(_ status: Int) -> ScriptedReply {
        .json("{\"error\":\(error)}", status: status, headers: headers)
      }
      switch self {
      case .status400: return failing(400)
      case .status401: return failing(401)
      case .status403: return failing(403)
      case .status404: return failing(404)
      case .status413: return failing(413)
      case .status422:
        return .json(
          "{\"detail\":[{\"loc\":[\"\(MarkedKeyTests.key)\"],\"msg\":\"\(echo)\"}]}", status: 422)
      case .status429: return failing(429)
      case .status500: return failing(500)
      case .errorInAnswer: return failing(200)
      case .errorInStream: return .events([.send("event: error\ndata: {\"error\":\(error)}\n\n")])
      case .detailInAnswer: return .json("{\"detail\":\"\(echo)\"}")
      case .redirect:
        return .fixed(307, headers: ["Location": "http://127.0.0.1:1/\(percent)"])
      case .notJSON: return .json("\(echo)")
      case .webPage: return .text("<html>\(echo)</html>", contentType: "text/html")
      case .cut: return ScriptedReply.json("{\"a\": \"\(echo)\"}").cut(after: 120)
      case .longHeader:
        let line = String(repeating: MarkedKeyTests.key, count: 4_000)
        return .fixed(headers: ["X-Long": line])
      }
    }
  }

  @Test(arguments: Path.allCases, FailureCase.allCases)
  func `the key is sent to the service and appears nowhere else`(
    _ path: Path, _ failure: FailureCase
  )
    async throws
  {
    defer { server.stop() }
    server.reply { failure.reply($0) }
    let (client, outcome) = await walk(path)
    var shown = "\(outcome) \(String(reflecting: outcome))"
    dump(outcome, to: &shown)
    for child in Mirror(reflecting: outcome).children { shown += "\(child)" }
    if case .failure(let error) = outcome {
      shown += error.localizedDescription + ((error as? AIServiceError)?.message ?? "")
    }
    if let client {
      dump(client, to: &shown)
      shown += "\(client) \(client.health) \(client.usageByModel)"
    }
    #expect(!shown.contains(Self.key))
    #expect(!shown.contains(Self.key.prefix(14)))
    #expect(!shown.contains("canary"))
    #expect(!shown.contains(Data(Self.key.utf8).base64EncodedString().prefix(20)))
    #expect(!shown.contains("marked%2D0123"))
    // These checks are worthless if the key was not sent.
    for request in server.requests {
      #expect(String(decoding: request.head, as: UTF8.self).contains(Self.key))
      #expect(!request.target.contains("canary") && !request.text.contains("canary"))
    }
    #expect(!server.requests.isEmpty)
  }

  private func walk(_ path: Path) async -> (ServiceClient?, Result<String, any Error>) {
    let openAI = OpenAIProvider(
      configuration: OpenAIConfiguration(baseURL: server.url("/v1").absoluteString),
      credentialManager: credentials, environment: environment)
    let anthropic = AnthropicProvider(
      configuration: AnthropicConfiguration(baseURL: server.url().absoluteString),
      credentialManager: credentials, environment: environment)
    let elevenLabs = ElevenLabsProvider(
      configuration: ElevenLabsConfiguration(baseURL: server.url().absoluteString),
      credentialManager: credentials, environment: environment)
    func outcome(
      _ client: ServiceClient?, _ work: () async throws -> Any
    ) async -> (ServiceClient?, Result<String, any Error>) {
      do {
        return (client, .success("\(try await work())".count > 0 ? "it worked" : ""))
      } catch {
        return (client, .failure(error))
      }
    }
    switch path {
    case .chat:
      return await outcome(openAI.client) { try await openAI.reply(to: ChatRequest("Hi")) }
    case .embedding:
      return await outcome(openAI.client) { try await openAI.embed(EmbeddingRequest(["Hi"])) }
    case .speech:
      return await outcome(openAI.client) {
        try await openAI.speak(SpeechRequest("Hi")).collected()
      }
    case .transcription:
      return await outcome(openAI.client) {
        try await openAI.transcription(of: TranscriptionRequest(audio: Data("RIFF".utf8)))
      }
    case .access: return await outcome(openAI.client) { try await openAI.checkAccess() }
    case .messages:
      return await outcome(anthropic.client) { try await anthropic.reply(to: ChatRequest("Hi")) }
    case .timedSpeech:
      return await outcome(elevenLabs.client) {
        try await elevenLabs.speak(SpeechRequest("Hi", format: .pcm, wantsTimings: true))
          .collected()
      }
    case .voices: return await outcome(elevenLabs.client) { try await elevenLabs.voices() }
    case .ownProvider:
      let own = BaseHTTPProvider(
        baseURL: server.url().absoluteString, timeout: 10, environment: environment)
      return await outcome(nil) {
        let answer: [String: String] = try await own.post(
          endpoint: "/path", headers: ["Authorization": "Bearer \(Self.key)"], body: ["a": "b"])
        return answer
      }
    }
  }
}
