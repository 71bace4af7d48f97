import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechConcurrency
import SpeechCore
import SpeechFlite
import Testing

/// Tests of a local voice as the fallback of a service.
@MainActor
struct FallbackTests {
  private let local = LocalVoice()

  enum Trouble: CaseIterable {
    case down, silent, failing, overloaded, refusedKey, outOfCredit, webPage, noSound, slow,
      trickling

    @MainActor
    func cause(on bench: CloudBench) {
      let server = bench.server
      switch self {
      case .down: server.stop()
      case .silent: server.reply { _ in .silent }
      case .failing: server.reply { _ in .json("{}", status: 500) }
      case .overloaded: server.reply { _ in .json("{}", status: 429) }
      case .refusedKey: server.reply { _ in .json("{}", status: 401) }
      case .outOfCredit:
        server.reply { _ in
          .json(#"{"detail":{"status":"quota_exceeded","message":"Empty."}}"#, status: 401)
        }
      case .webPage:
        server.reply { _ in .text("<html>Welcome</html>", contentType: "text/html") }
      case .noSound: server.reply { _ in .chunked([], headers: ["Content-Type": "audio/pcm"]) }
      case .slow: server.reply { _ in .chunked([.stall]) }
      case .trickling:
        // Never silent, and 400 times slower than the speech.
        let sample = #"{"audio_base64":"AAA=","alignment":null}"# + "\n"
        let sound = Data(String(repeating: sample, count: 1_000).utf8)
        server.reply { _ in
          .chunked(
            [.drip(sound, every: .milliseconds(2))], headers: ["Content-Type": "application/json"])
        }
      }
    }

    func isRight(_ reason: SpeechSynthesisProviderError?) -> Bool {
      switch (self, reason) {
      case (.down, .networkUnavailable), (.silent, .networkUnavailable),
        (.slow, .networkUnavailable), (.trickling, .networkUnavailable),
        (.overloaded, .rateLimitExceeded),
        (.refusedKey, .authenticationFailed), (.outOfCredit, .initializationFailed),
        (.failing, .initializationFailed), (.webPage, .unknown), (.noSound, .unknown):
        true
      default: false
      }
    }
  }

  /// Timeouts that are short only where the server stays silent, so that a busy machine changes
  /// nothing.
  private func configuration(
    firstByte: Duration = .seconds(60), idle: Duration = .seconds(60)
  ) -> CloudVoiceConfiguration {
    CloudVoiceConfiguration(
      timeouts: HTTPTimeouts(connect: .seconds(60), firstByte: firstByte, idle: idle, total: nil))
  }

  @Test(arguments: Trouble.allCases)
  func `the text is spoken whatever error the service has`(_ trouble: Trouble) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    trouble.cause(on: bench)
    let configuration =
      switch trouble {
      case .silent: configuration(firstByte: .milliseconds(300))
      case .slow, .trickling: configuration(idle: .milliseconds(300))
      default: CloudBench.patient
      }
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(bench.elevenLabs(), configuration),
      fallback: bench.provider(local))
    let events = engine.events
    try await engine.speak(text: "Good morning.")
    #expect(trouble.isRight(engine.fallbackReason), "\(String(describing: engine.fallbackReason))")
    #expect(engine.error == nil)
    #expect(engine.speakerIdentifier == FliteEngine.identifier)
    #expect(local.texts == ["Good morning."])
    // A trickle is played until it counts as a failure.
    #expect(bench.speaker.sounds.count == (trouble == .trickling ? 2 : 1))
    var told: [SpeechSynthesisEvent] = []
    for await event in events {
      if !event.isProgress { told.append(event) }
      if event == .completed { break }
    }
    #expect(told == [.started, .completed])
  }

  @Test func `without a key the local voice speaks, and nothing is sent`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    let keyless = bench.openAI(credentials: AICredentialManager())
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(keyless), fallback: bench.provider(local))
    try await engine.speak(text: "Good morning.")
    #expect(engine.fallbackReason == .authenticationFailed)
    #expect(local.texts == ["Good morning."])
    #expect(bench.speaker.sounds.count == 1)
    #expect(bench.server.acceptedConnections == 0)
  }

  @Test func `the next text uses the service again`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.timedSpeech($0) }
    bench.server.enqueue(.json("{}", status: 401))
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(bench.elevenLabs()), fallback: bench.provider(local))
    try await engine.speak(text: "One.")
    #expect(engine.fallbackReason == .authenticationFailed)
    #expect(engine.speakerIdentifier == FliteEngine.identifier)
    try await engine.speak(text: "Two.")
    #expect(engine.fallbackReason == nil)
    #expect(engine.speakerIdentifier == ElevenLabsProvider.identifier)
    #expect(local.texts == ["One."])
    #expect(bench.heard(1) == CloudBench.samples(of: "Two."))
  }

  @Test(arguments: [ScriptedReply.Step.close, .reset, .stall])
  func `after an interruption the fallback repeats the interrupted sentence`(
    _ end: ScriptedReply.Step
  ) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    let text = "The first sentence is whole. The second breaks off here. The third is not reached."
    let sent = "The first sentence is whole. The second"
    bench.server.enqueue(
      .chunked(
        CloudBench.lines(of: sent, 10).map { .send($0 + "\n") } + [end],
        headers: ["Content-Type": "application/json"]))
    let configuration =
      if case .stall = end { configuration(idle: .seconds(2)) } else { CloudBench.patient }
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(bench.elevenLabs(), configuration),
      fallback: bench.provider(local))
    let positions = engine.positions
    try await engine.speak(text: text)
    #expect(engine.fallbackReason == .networkUnavailable)
    // The received audio is heard, and then the sentence from its beginning.
    #expect(bench.heard(0) == CloudBench.samples(of: sent))
    #expect(local.texts == ["The second breaks off here. The third is not reached."])
    #expect(bench.speaker.sounds.count == 2)
    #expect(bench.server.requests.count == 1)
    // Positions remain those of the whole text.
    var words: [Range<Int>] = []
    for await position in positions where position.kind == .word {
      words.append(position.textRange)
      if position.textRange.lowerBound == text.count - "reached.".count { break }
    }
    let second = words.filter { $0.lowerBound == 29 }
    #expect(second.count == 2, "“The” was said by both: \(words)")
  }

  @Test func `after a failure between two parts the fallback continues with the second`()
    async throws
  {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    let text = (1...20).map { "This is the sentence with the number \($0). " }.joined()
    let isFirst = OnceFlag()
    bench.server.reply { request in
      isFirst.raise() ? CloudBench.speech(request) : .json("{}", status: 500)
    }
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(bench.openAI()), fallback: bench.provider(local))
    try await engine.speak(text: text)
    let part = try #require(bench.server.requests.first?.json["input"]?.stringValue)
    #expect(text.hasPrefix(part) && part.count < text.count)
    #expect(bench.heard(0) == CloudBench.samples(of: part))
    #expect(local.texts == [String(text.dropFirst(part.count))])
  }

  @Test func `a service that is down is not asked for a while`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in .json("{}", status: 500) }
    let voice = bench.elevenLabs()
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(voice), fallback: bench.provider(local))
    for number in 0..<6 {
      try await engine.speak(text: "Text \(number).")
      #expect(engine.fallbackReason != nil)
    }
    // Two requests for each text until five have failed; then none until the pause ends.
    #expect(bench.server.requests.count == 5)
    guard case .suspended = voice.client.health.state else {
      Issue.record("\(voice.client.health)")
      return
    }
  }

  @Test func `a stopped or cancelled text does not use the fallback`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in .silent }
    let engine = SpeechSynthesisEngine(
      provider: bench.provider(bench.elevenLabs()), fallback: bench.provider(local))
    let stopped = Task { try await engine.speak(text: "Good morning.") }
    try await bench.server.wait { $0.requests.count == 1 }
    engine.stop()
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await stopped.value }
    let cancelled = Task { try await engine.speak(text: "Good morning.") }
    try await bench.server.wait { $0.requests.count == 2 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(bench.heard.isEmpty)
    #expect(engine.fallbackReason == nil)
    try await bench.server.wait { $0.openConnections == 0 }
  }
}
