import AIServiceTesting
import AIServices
import Foundation
import LLMSocket
import ServiceTestSupport
import SpeechConcurrency
import TestSupport
import Testing

/// Traffic of the LLM socket: recorded once against a server, written, read, and replayed without it.
@Suite(.needsPeers) struct LLMTrafficTests {
  /// A server, and how packets travel.
  struct Setting: Sendable, CustomTestStringConvertible {
    var base: LLMServiceTests.Setting
    var transports = SocketIOConfiguration.Transports.webSocket
    var dialect: LLMConfiguration.Dialect?
    var testDescription: String {
      "\(base.testDescription) \(transports) \(dialect ?? base.dialect)"
    }

    static let all: [Setting] = {
      let plain = LLMServiceTests.Setting.all.map { Setting(base: $0) }
      let polled = LLMServiceTests.Setting.socketIO.flatMap { base in
        let ways: [SocketIOConfiguration.Transports] = [.polling, .pollingWithUpgrade]
        return ways.map { Setting(base: base, transports: $0) }
      }
      let detected: [LLMServiceTests.Setting] = [.socketIO[0], .phoenix[0]]
      return plain + polled + detected.map { Setting(base: $0, dialect: .automatic) }
    }()

    func configuration(_ port: Int) throws -> LLMConfiguration {
      var configuration = try base.configuration(port)
      configuration.transports = transports
      if let dialect { configuration.dialect = dialect }
      return configuration
    }
  }

  /// What came of a conversation, to be compared.
  private struct Outcome: Equatable {
    var replies: [LLMReply] = []
    var failures: [LLMError] = []
    var events: [ChatEvent] = []
  }

  private func converse(with service: LLMService) async throws -> Outcome {
    var outcome = Outcome()
    for prompt in ["one", "grüß “日本”\n", "one"] {
      outcome.replies.append(try await service.generate(prompt, model: "gpt-4"))
    }
    do {
      _ = try await service.generate("fail")
    } catch {
      outcome.failures.append(try #require(error as? LLMError))
    }
    async let first = service.generate("first", options: LLMOptions(temperature: 0.5))
    async let second = service.generate("second")
    async let same = service.generate("second")
    outcome.replies += [try await first, try await second, try await same]
    for try await event in service.chat(ChatRequest("hello")) { outcome.events.append(event) }
    await service.disconnect()
    // Opened anew.
    outcome.replies.append(try await service.generate("again"))
    await service.disconnect()
    return outcome
  }

  @Test(arguments: Setting.all)
  func `a replay gives what the service gave, when the service is gone`(_ setting: Setting)
    async throws
  {
    let workshop = try TrafficWorkshop()
    let live = try await setting.base.with { peer in
      let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
      let service = LLMService(
        try setting.configuration(peer.port), http: transport, sockets: transport)
      let outcome = try await converse(with: service)
      try transport.recording.write(to: workshop.file)
      return outcome
    }
    #expect(live.replies.map(\.content).last == "<again>")
    #expect(live.failures.map(\.code) == [.generationFailed])
    let recording = try TrafficRecording(contentsOf: workshop.file)
    #expect(recording.exchanges.isEmpty)
    #expect(recording.sockets.count >= 2)
    let replay = ReplayTransport(recording)
    let service = LLMService(try setting.configuration(1), http: replay, sockets: replay)
    let again = try await converse(with: service)
    #expect(again == live)
    #expect(replay.mismatches.isEmpty)
    #expect(replay.unopened.isEmpty)
    #expect(replay.unsent.isEmpty)
  }

  @Test func `how packets travelled makes no difference`() async throws {
    let ways = [SocketIOConfiguration.Transports.webSocket, .polling, .pollingWithUpgrade]
    for recorded in ways {
      let base = LLMServiceTests.Setting.socketIO[0]
      let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
      let live = try await base.with { peer in
        let service = LLMService(
          try Setting(base: base, transports: recorded).configuration(peer.port), http: transport,
          sockets: transport)
        return try await converse(with: service)
      }
      for way in ways {
        let replay = ReplayTransport(try TrafficRecording(text: transport.recording.text))
        let service = LLMService(
          try Setting(base: base, transports: way).configuration(1), http: replay, sockets: replay)
        #expect(try await converse(with: service) == live, "\(recorded) \(way)")
        #expect(replay.mismatches.isEmpty, "\(recorded) \(way)")
      }
    }
  }

  @Test(arguments: LLMServiceTests.Setting.all)
  func `many at once get each its own answer`(_ base: LLMServiceTests.Setting) async throws {
    func ask(_ service: LLMService) async throws {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask { try await service.generateText("\(number)") == "<\(number)>" }
        }
        for try await isRight in group { #expect(isRight) }
      }
      await service.disconnect()
    }
    let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
    try await base.with { peer in
      try await ask(LLMService(try base.configuration(peer.port), sockets: transport))
    }
    let replay = ReplayTransport(try TrafficRecording(text: transport.recording.text))
    try await ask(LLMService(try base.configuration(1), sockets: replay))
    #expect(replay.mismatches.isEmpty)
    #expect(replay.unsent.isEmpty)
  }

  @Test(arguments: [LLMServiceTests.Setting.socketIO[0], .phoenix[0]])
  func `what was not recorded is told with where they part`(_ base: LLMServiceTests.Setting)
    async throws
  {
    let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
    try await base.with { peer in
      let service = LLMService(try base.configuration(peer.port), sockets: transport)
      _ = try await service.generate("Turn on the light.", model: "m")
      await service.disconnect()
    }
    let replay = ReplayTransport(try TrafficRecording(text: transport.recording.text))
    let service = LLMService(try base.configuration(1), sockets: replay)
    do {
      _ = try await service.generate("Turn off the light.", model: "m")
      Issue.record("it was answered")
    } catch let error as LLMError {
      #expect(error.code == .connectionLost)
      #expect(error.details?.contains("was not recorded") == true)
    }
    let mismatch = try #require(replay.mismatches.first)
    #expect(mismatch.differences.count == 1)
    let difference = try #require(mismatch.differences.first)
    #expect(difference.place.hasSuffix(".prompt"))
    #expect(difference.recorded == "“Turn on the light.”")
    #expect(difference.asked == "“Turn off the light.”")
    #expect(mismatch.description.contains("The nearest is “"))
    #expect(mismatch.number == 1)
    await service.disconnect()
    #expect(replay.mismatches.count == 1)
  }

  @Test func `a token is taken out, and another one may be shown to the replay`() async throws {
    let marked = "sk-marked-0123-canary+/="
    for (base, credential) in [
      (LLMServiceTests.Setting.socketIO[0], LLMConfiguration.Credential.token),
      (.socketIO[0], LLMConfiguration.Credential.bearer),
      (.phoenix[0], LLMConfiguration.Credential.token),
    ] {
      let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
      let live = try await base.with { peer in
        var configuration = try base.configuration(peer.port)
        configuration.credential = credential(SecureString(marked))
        let service = LLMService(configuration, sockets: transport)
        // The server says some of what it was told again.
        let reply = try await service.generate("the key is \(marked)")
        await service.disconnect()
        return reply
      }
      let text = transport.recording.text
      #expect(!text.contains("canary"))
      #expect(!text.contains(Data(marked.utf8).base64EncodedString().prefix(12)))
      #expect(text.contains(SecureString.mask))
      let replay = ReplayTransport(try TrafficRecording(text: text))
      var configuration = try base.configuration(1)
      configuration.credential = credential(SecureString("quite another one"))
      let service = LLMService(configuration, sockets: replay)
      let reply = try await service.generate("the key is quite another one")
      #expect(live.content.contains(marked))
      #expect(reply.content == "<the key is ••••>")
      #expect(replay.mismatches.isEmpty)
      await service.disconnect()
    }
  }
}
