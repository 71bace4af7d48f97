import AIServiceTesting
import Foundation
import LLMSocket
import SpeechKit
import Testing

/// The code about services in the article on testing. Recording as printed would call the vendor,
/// so it is only compiled here; `AIServicesTests` runs it against a server on this machine.
struct TrafficArticleTests {
  func recording(to file: URL) async throws -> ChatReply {
    let transport = RecordingTransport(CurlTransport.shared)
    let live = OpenAIProvider(
      configuration: OpenAIConfiguration(), environment: ServiceEnvironment(transport: transport))
    let heard = try await live.reply(to: ChatRequest("Hello"))
    try transport.recording.write(to: file)
    return heard
  }

  private func replaying(_ file: URL, _ keys: AICredentialManager, _ heard: ChatReply) async throws
  {
    let replay = ReplayTransport(try TrafficRecording(contentsOf: file))
    let provider = OpenAIProvider(
      configuration: OpenAIConfiguration(), credentialManager: keys,
      environment: ServiceEnvironment(transport: replay))
    #expect(try await provider.reply(to: ChatRequest("Hello")) == heard)
    #expect(replay.unasked.isEmpty)
  }

  @Test func `a recording is replayed as printed`() async throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "article-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try LoopbackServer()
    server.reply { _ in
      .events([
        .send(
          #"data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"Hi!"},"finish_reason":null}]}"#
            + "\n\n"),
        .send(
          #"data: {"id":"1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
            + "\n\n"),
        .send("data: [DONE]\n\n"),
      ])
    }
    let keys = AICredentialManager()
    try await keys.store(
      credential: AICredential(providerID: "openai", type: .apiKey, name: "Test"),
      value: SecureString("sk-test-0123456789"))
    let transport = RecordingTransport(Detour(server: server))
    let live = OpenAIProvider(
      configuration: OpenAIConfiguration(), credentialManager: keys,
      environment: ServiceEnvironment(transport: transport))
    let heard = try await live.reply(to: ChatRequest("Hello"))
    server.stop()
    #expect(heard.text == "Hi!")
    try transport.recording.write(to: file)
    try await replaying(file, keys, heard)
  }

  private func replaying(_ file: URL, _ address: URL) async throws {
    let replay = ReplayTransport(try TrafficRecording(contentsOf: file))
    let socket = try await replay.open(WebSocketRequest(address))
    try await socket.send(.text("Hello"))
    #expect(try await socket.receive() == .text("Hi!"))
    #expect(replay.unopened.isEmpty && replay.unsent.isEmpty)
  }

  @Test func `a recorded socket is replayed as printed`() async throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "article-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let recording = TrafficRecording(sockets: [
      RecordedSocket(
        .init("GET", "ws://localhost:4000/chat"), opening: .init(),
        events: [.init(.sent(.text("Hello"))), .init(.received(.text("Hi!")))])
    ])
    try recording.write(to: file)
    try await replaying(file, try #require(URL(string: "ws://localhost:4000/chat")))
  }
}

/// Sends every request to a server on this machine.
private struct Detour: HTTPTransport {
  let server: LoopbackServer

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.url = server.url(request.url.path)
    return try await CurlTransport(offline: OfflineMode()).send(request)
  }
}
