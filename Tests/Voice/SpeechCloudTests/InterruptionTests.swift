import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechCore
import Testing

/// Tests of stopping, pausing and cancelling while the audio of a service is awaited.
@MainActor
struct InterruptionTests {
  private static let text = (1...40).map { "This is sentence number \($0). " }.joined()

  enum Moment: CaseIterable {
    /// Before the first byte.
    case opening
    /// In the middle of a part.
    case middle
    /// While the second part is awaited.
    case secondPart

    func replies() -> [ScriptedReply] {
      switch self {
      case .opening: [.silent]
      case .middle:
        [
          .chunked(
            [.bytes(CloudBench.bytes(of: "This is")), .stall],
            headers: ["Content-Type": "audio/pcm"])
        ]
      case .secondPart:
        [
          .fixed(
            headers: ["Content-Type": "audio/pcm"], body: CloudBench.bytes(of: "This is all.")),
          .silent,
        ]
      }
    }

    var sound: Samples {
      switch self {
      case .opening: Samples()
      case .middle: CloudBench.samples(of: "This is")
      case .secondPart: CloudBench.samples(of: "This is all.")
      }
    }
  }

  /// Speaks until the moment has come.
  private func begin(
    _ bench: CloudBench, _ moment: Moment
  ) async throws -> (VoiceSynthesisProvider<OpenAIVoice>, Task<Void, any Error>) {
    for reply in moment.replies() { bench.server.enqueue(reply) }
    let provider = bench.provider(bench.openAI())
    let events = provider.events
    let speech = Task { try await provider.speak(text: Self.text, voice: nil) }
    try await bench.server.wait { $0.requests.count == moment.replies().count }
    if !moment.sound.isEmpty { _ = await events.waitFor(\.isProgress) }
    return (provider, speech)
  }

  @Test(arguments: Moment.allCases)
  func `stopping ends it at once and hangs up`(_ moment: Moment) async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let (provider, speech) = try await begin(bench, moment)
    provider.stop()
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await speech.value }
    #expect(!provider.isPlaying)
    #expect(bench.heard == moment.sound)
    try await bench.server.wait { $0.openConnections == 0 }
    // The provider can speak again.
    bench.server.reply { CloudBench.speech($0) }
    try await provider.speak(text: "Again.", voice: nil)
    #expect(bench.heard == moment.sound + CloudBench.samples(of: "Again."))
  }

  @Test(arguments: Moment.allCases)
  func `cancelling ends it at once and hangs up`(_ moment: Moment) async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let (provider, speech) = try await begin(bench, moment)
    speech.cancel()
    await #expect(throws: CancellationError.self) { try await speech.value }
    #expect(!provider.isPlaying)
    try await bench.server.wait { $0.openConnections == 0 }
  }

  @Test func `releasing the stream hangs up, also on the next part`()
    async throws
  {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    let enough = String(repeating: "x", count: 1_300)
    bench.server.enqueue(
      .chunked(
        [.bytes(CloudBench.bytes(of: enough)), .stall], headers: ["Content-Type": "audio/pcm"]),
      .chunked([.send("ab"), .stall], headers: ["Content-Type": "audio/pcm"]))
    let voice = bench.openAI()
    var frames = 0
    for try await chunk in voice.streamAudio(
      request: voice.makeRequest(text: Self.text), configuration: .default)
    {
      frames += chunk.audio.frameCount
      guard frames == enough.count * CloudBench.framesPerCharacter else { continue }
      try await bench.server.wait { $0.requests.count == 2 }
      break
    }
    try await bench.server.wait { $0.openConnections == 0 }
  }

  @Test func `a pause before the first audio delays it until the pause is over`() async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let gate = ReplyGate()
    bench.server.enqueue(
      ScriptedReply.fixed(
        headers: ["Content-Type": "audio/pcm"], body: CloudBench.bytes(of: "Held.")
      ).delayed(until: gate))
    let provider = bench.provider(bench.openAI())
    let speech = Task { try await provider.speak(text: "Held.", voice: nil) }
    try await gate.reached()
    provider.pause()
    #expect(provider.isPaused)
    gate.open()
    await bench.output.opening()
    #expect(bench.heard.isEmpty)
    provider.resume()
    try await speech.value
    #expect(bench.heard == CloudBench.samples(of: "Held."))
  }

  @Test func `a pause while a part is awaited loses nothing`() async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let gate = ReplyGate()
    bench.server.enqueue(
      .chunked(
        [
          .bytes(CloudBench.bytes(of: "Before, ")), .wait(gate),
          .bytes(CloudBench.bytes(of: "after.")),
        ], headers: ["Content-Type": "audio/pcm"]))
    let provider = bench.provider(bench.openAI())
    let events = provider.events
    let speech = Task { try await provider.speak(text: "Before, after.", voice: nil) }
    _ = await events.waitFor(\.isProgress)
    provider.pause()
    gate.open()
    try await bench.server.wait { $0.bytesSent > CloudBench.bytes(of: "Before, after.").count }
    #expect(bench.heard == CloudBench.samples(of: "Before, "))
    provider.resume()
    try await speech.value
    #expect(bench.heard == CloudBench.samples(of: "Before, after."))
    // The pause is a break in time, not in the audio.
    #expect(bench.speaker.sounds.count <= 2)
  }

  @Test func `texts that wait for a stopped one are cancelled`() async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let (provider, speech) = try await begin(bench, .middle)
    let waiting = (0..<3).map { number in
      Task { try await provider.speak(text: "Text \(number).", voice: nil) }
    }
    for _ in 0..<20 { await Task.yield() }
    provider.stop()
    for task in [speech] + waiting {
      await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await task.value }
    }
    #expect(bench.server.requests.count == 1)
  }
}
