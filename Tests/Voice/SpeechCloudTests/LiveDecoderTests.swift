import AIServices
import Foundation
import ServiceTestSupport
import SpeechAudio
import SpeechCloud
import SpeechCore
import SpeechTesting
import TestSupport
import Testing

/// Tests of live transcription against a real WebSocket server that checks every event.
@Suite(.needsPeers) @MainActor
struct LiveDecoderTests {
  @Test func `an utterance is sent whole, and its text arrives piece by piece`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("plain") { bench in
      let session = bench.session {
        $0.model = "gpt-4o-transcribe"
        $0.prompt = "Names: Anna."
      }
      let heard = try await session.hear(spoken: speech)
      #expect(heard.final == LiveBench.sentence)
      // Each continues the one before; a text that arrives together with the next is left out.
      for (one, next) in zip(heard.partials, heard.partials.dropFirst()) {
        #expect(next.hasPrefix(one) && next != one)
      }
      #expect(heard.partials.allSatisfy { LiveBench.sentence.hasPrefix($0) })
      let query = try await bench.peer.report("connected")
      #expect(query == "intent=transcription&model=gpt-4o-transcribe")
      let key = try await bench.peer.report("key")
      #expect(key == "Bearer \(CloudBench.key)")
      let update = try await bench.peer.report("session")
      #expect(
        update == """
          {"audio": {"input": {"format": {"rate": 24000, "type": "audio/pcm"}, "transcription": \
          {"language": "en", "model": "gpt-4o-transcribe", "prompt": "Names: Anna."}, \
          "turn_detection": null}}, "type": "transcription"}
          """)
      let expected = try LiveBench.report(of: speech)
      let report = try await bench.peer.report("utterance")
      #expect(report == expected)
      let usage = bench.provider.client.usageByModel["gpt-4o-transcribe"]
      #expect(usage == ServiceUsage(requests: 1, inputTokens: 14, outputTokens: 5))
    }
  }

  @Test func `text that arrives during the utterance is reported during it`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("live") { bench in
      let session = bench.session()
      try await session.hear(.start)
      try await session.hear(.audio(speech))
      var text: String?
      while text != "Good morning," {
        text = try await session.hear(.audio(PCMBuffer(format: .recognition))).partialText ?? text
      }
      let final = try await session.hear(.finish).utterance
      #expect(final?.text == LiveBench.sentence)
    }
  }

  @Test func `nothing partial is reported unless wanted`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("plain") { bench in
      let heard = try await bench.session { $0.wantsPartials = false }.hear(spoken: speech)
      #expect(heard.final == LiveBench.sentence)
      #expect(heard.partials.isEmpty)
    }
  }

  @Test(arguments: ["plain", "beta", "order", "unknown", "seconds"])
  func `utterances share a connection, and each has its own text`(_ conduct: String) async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with(conduct) { bench in
      let session = bench.session()
      for _ in 1...3 {
        let spoken = try await session.hear(spoken: speech)
        #expect(spoken.final == LiveBench.sentence)
        let whole = try await session.decode(speech)
        #expect(whole?.text == LiveBench.sentence)
        #expect(whole?.words.isEmpty == true)
        let silence = try await session.decode(.silence(.seconds(1), format: .recognition))
        #expect(silence == nil)
      }
      #expect(bench.provider.client.usage.requests == 9)
      #expect(bench.provider.client.usage.audioSeconds == (conduct == "seconds" ? 13.5 : 0))
      _ = try await bench.peer.report("connected")
      // A second connection would be reported before this one's last utterance.
      for _ in 1...9 { _ = try await bench.peer.report("utterance") }
      #expect(bench.peer.reports(beginning: "connected").isEmpty)
    }
  }

  @Test func `short and discarded audio is never committed`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("plain") { bench in
      let session = bench.session()
      let short = try await session.decode(speech.slice(0..<1_000))
      #expect(short == nil)
      try await session.hear(.start)
      try await session.hear(.audio(speech))
      try await session.hear(.discard)
      let nothing = try await session.hear(.finish)
      #expect(nothing == DecoderOutput())
      let whole = try await session.decode(speech)
      #expect(whole?.text == LiveBench.sentence)
      let expected = try LiveBench.report(of: speech)
      let report = try await bench.peer.report("utterance")
      #expect(report == expected)
    }
  }

  @Test func `a released decoder closes its connection`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("plain") { bench in
      let decoded = try await bench.session().decode(speech)
      #expect(decoded?.text == LiveBench.sentence)
      _ = try await bench.peer.report("closed")
    }
  }

  @Test(arguments: ["drop", "drop-commit"])
  func `a lost connection costs nothing`(_ conduct: String) async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with(conduct) { bench in
      let heard = try await bench.session().hear(spoken: speech)
      #expect(heard.final == LiveBench.sentence)
      for (one, next) in zip(heard.partials, heard.partials.dropFirst()) {
        #expect(next.count > one.count)
      }
      // The second connection heard all of the audio, once.
      let expected = try LiveBench.report(of: speech)
      for _ in 1...(conduct == "drop" ? 1 : 2) {
        let report = try await bench.peer.report("utterance")
        #expect(report == expected)
      }
      for _ in 1...2 { _ = try await bench.peer.report("connected") }
      #expect(bench.peer.reports(beginning: "utterance").isEmpty)
      #expect(bench.provider.client.usage.requests == 1)
    }
  }

  @Test(arguments: ["bye", "expired"])
  func `a session that the server ends is followed by another`(_ conduct: String) async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with(conduct) { bench in
      let session = bench.session()
      for _ in 1...4 {
        let decoded = try await session.decode(speech)
        #expect(decoded?.text == LiveBench.sentence)
        if conduct == "bye" { _ = try await bench.peer.report("closed 1001") }
      }
      let expected = try LiveBench.report(of: speech)
      for _ in 1...4 {
        let report = try await bench.peer.report("utterance")
        #expect(report == expected)
      }
      #expect(bench.peer.reports(beginning: "connected").count == (conduct == "bye" ? 4 : 2))
    }
  }

  @Test func `cancellation ends an utterance that is never answered`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("hang") { bench in
      let session = bench.session()
      let task = Task { try await session.decode(speech) }
      _ = try await bench.peer.report("utterance")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      _ = try await bench.peer.report("closed")
    }
  }

  @Test(arguments: [
    ("401", "refused the key"), ("403", "denies this"), ("404", "no WebSocket"),
    ("429", "limits the rate"), ("400", "refused the request"), ("503", "failed"),
    ("refuse-update", "The model is not supported"), ("failed", "The model broke"),
    ("limited", "Rate limit reached"), ("words", "not JSON"), ("huge", "exceeds the limit"),
    ("endless", "more text than"), ("leak", "is not in order"), ("policy", "not with this account"),
    ("drop-always", "interrupted"),
  ])
  func `a server that misbehaves gives an error with its reason`(
    _ conduct: String, _ reason: String
  ) async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with(conduct) { bench in
      let session = bench.session()
      do {
        let heard = try await session.hear(spoken: speech)
        Issue.record("\(heard)")
      } catch let error as SpeechRecognitionError {
        guard case .recognitionFailed(let text) = error else { throw error }
        #expect(text.contains(reason), "\(text)")
        for secret in [CloudBench.key, String(CloudBench.key.prefix(12))] {
          #expect(!text.contains(secret))
        }
      }
      try await session.hear(.discard)
      #expect(bench.provider.client.health.lastError != nil)
      #expect(bench.peer.reports(beginning: "bad").isEmpty)
    }
  }

  @Test func `a server that ends utterances by itself is refused`() async throws {
    let speech = try await LiveBench.speech()
    try await LiveBench.with("early") { bench in
      let session = bench.session()
      try await session.hear(.start)
      try await session.hear(.audio(speech))
      await #expect {
        while true { try await session.hear(.audio(PCMBuffer(format: .recognition))) }
      } throws: { error in
        error.localizedDescription.contains("by itself")
      }
    }
  }

  @Test(arguments: ["hang", "hang-update", "hang-deaf"])
  func `a server that falls silent times out`(_ conduct: String) async throws {
    // More than the buffers between both hold.
    let noise = PCMBuffer(
      samples: (0..<16_000 * 240).map { Int16(truncatingIfNeeded: $0 &* 7_919) % 3_000 },
      format: .recognition)
    let timeouts = HTTPTimeouts.forTests {
      $0.idle = .milliseconds(100)
      if conduct == "hang-update" { $0.connect = .milliseconds(500) }
    }
    try await LiveBench.with(conduct, timeouts: timeouts) { bench in
      let session = bench.session()
      await #expect {
        try await session.decode(conduct == "hang-deaf" ? noise : noise.slice(0..<16_000))
      } throws: { error in
        error.localizedDescription.contains(
          conduct == "hang-update" ? "in time" : "stopped sending")
      }
    }
  }

  @Test func `a microphone is transcribed live`() async throws {
    let speech = try await LiveBench.speech()
    let script = AudioScript().withNoise(level: -65).saying(speech, at: .seconds(1))
      .saying(speech, at: .seconds(6)).ending(at: .seconds(10))
    try await LiveBench.with("plain") { bench in
      let provider = DecoderRecognitionProvider<OpenAILiveDecoder>(
        configuration: bench.configuration(), input: ScriptedMicrophone(script))
      let results = provider.results
      try await provider.startListening(locale: Locale(identifier: "en-US"))
      var finals: [String] = []
      for await result in results where result.isFinal { finals.append(result.text) }
      #expect(finals == [LiveBench.sentence, LiveBench.sentence])
      #expect(provider.failure == nil)
    }
  }

  @Test(arguments: DecoderLaw.allCases)
  func `it conforms to the laws of decoders`(_ law: DecoderLaw) async throws {
    try await LiveBench.with("plain") { bench in
      let suite = DecoderConformance<OpenAILiveDecoder>(
        configuration: bench.configuration(), speech: try await LiveBench.speech(),
        words: "good morning everybody")
      let objection = try await suite.objection(to: law)
      #expect(objection == nil, "\(objection ?? "")")
      #expect(bench.peer.reports(beginning: "bad").isEmpty)
    }
  }
}
