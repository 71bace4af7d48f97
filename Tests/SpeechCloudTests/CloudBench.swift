import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechCore
import SpeechFlite

/// A server that speaks, speakers in memory, and voices of services between them.
///
/// The server's speech is made so that each character is heard as samples of its own: what is heard can be
/// compared with the text to the sample.
@MainActor
struct CloudBench {
  nonisolated static let framesPerCharacter = 240
  nonisolated static let secondsPerCharacter = 0.01
  nonisolated static let key = "sk-marked-0123456789-canary-ABCDEFGH"

  let server: LoopbackServer
  let clock = VirtualClock()
  let speaker: MemorySpeaker
  let credentials = AICredentialManager()
  let environment: ServiceEnvironment

  init(buffer: Duration = .milliseconds(100)) async throws {
    server = try LoopbackServer()
    speaker = MemorySpeaker(clock: clock, buffer: buffer)
    environment = ServiceEnvironment(
      transport: CurlTransport(offline: OfflineMode()), clock: ServiceClock(SkippingClock()))
    for id in ["openai", "elevenlabs"] {
      try await credentials.store(
        credential: AICredential(providerID: id, type: .apiKey, name: "Test"),
        value: SecureString(Self.key))
    }
  }

  // MARK: Voices

  func openAI(
    credentials: AICredentialManager? = nil,
    _ change: (inout OpenAIConfiguration) -> Void = { _ in }
  ) -> OpenAITTSProvider {
    var configuration = OpenAIConfiguration(baseURL: server.url("/v1").absoluteString)
    change(&configuration)
    return OpenAITTSProvider(
      service: OpenAIProvider(
        configuration: configuration, credentialManager: credentials ?? self.credentials,
        environment: environment))
  }

  func elevenLabs(
    _ change: (inout ElevenLabsConfiguration) -> Void = { _ in }
  ) -> ElevenLabsProvider {
    var configuration = ElevenLabsConfiguration(baseURL: server.url().absoluteString)
    change(&configuration)
    return ElevenLabsProvider(
      configuration: configuration, credentialManager: credentials, environment: environment)
  }

  func provider<Voice: CloudVoice>(
    _ voice: Voice, _ configuration: CloudVoiceConfiguration = .default
  ) -> VoiceSynthesisProvider<Voice> {
    VoiceSynthesisProvider(engine: voice, configuration: configuration, output: speaker)
  }

  var local: VoiceSynthesisProvider<FliteEngine> {
    VoiceSynthesisProvider(engine: FliteEngine(), configuration: .default, output: speaker)
  }

  // MARK: What is heard

  var heard: [Int16] { speaker.sounds.flatMap(\.audio.samples) }

  /// What the server makes of a text.
  nonisolated static func samples(of text: String) -> [Int16] {
    text.unicodeScalars.flatMap { scalar in
      (0..<framesPerCharacter).map { Int16(truncatingIfNeeded: Int(scalar.value) * 60 + $0) }
    }
  }

  nonisolated static func bytes(of samples: [Int16]) -> Data {
    var bytes = Data(capacity: samples.count * 2)
    for sample in samples {
      let bits = UInt16(bitPattern: sample)
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
    return bytes
  }

  nonisolated static func bytes(of text: String) -> Data { bytes(of: samples(of: text)) }

  // MARK: Replies

  /// Speech without times, in the words of OpenAI's interface.
  nonisolated static func speech(_ request: RecordedRequest) -> ScriptedReply {
    .fixed(
      headers: ["Content-Type": "audio/pcm"],
      body: bytes(of: request.json["input"]?.stringValue ?? ""))
  }

  /// Speech with times, a line for so many characters, in the words of ElevenLabs' interface.
  nonisolated static func timedSpeech(
    _ request: RecordedRequest, charactersPerLine: Int = 10
  ) -> ScriptedReply {
    .chunked(
      lines(of: request.json["text"]?.stringValue ?? "", charactersPerLine).map {
        .send($0 + "\n")
      },
      headers: ["Content-Type": "application/json"])
  }

  nonisolated static func lines(of text: String, _ charactersPerLine: Int) -> [String] {
    let characters = text.map(String.init)
    // A character that is made of several scalars is as long as all of them.
    let lengths = characters.map { Double($0.unicodeScalars.count) * secondsPerCharacter }
    let ends = lengths.reduce(into: [Double]()) { $0.append(($0.last ?? 0) + $1) }
    return stride(from: 0, to: characters.count, by: charactersPerLine).map { start in
      let range = start..<min(start + charactersPerLine, characters.count)
      let alignment: SendableValue = [
        "characters": .array(range.map { .string(characters[$0]) }),
        "character_start_times_seconds": .array(range.map { .double(ends[$0] - lengths[$0]) }),
        "character_end_times_seconds": .array(range.map { .double(ends[$0]) }),
      ]
      let line: SendableValue = [
        "audio_base64": .string(
          bytes(of: characters[range].joined()).base64EncodedString()), "alignment": alignment,
      ]
      return String(decoding: (try? JSONEncoder().encode(line)) ?? Data(), as: UTF8.self)
    }
  }
}

extension RecordedRequest {
  /// The body as JSON.
  var json: SendableValue {
    (try? JSONDecoder().decode(SendableValue.self, from: body)) ?? .null
  }
}

extension SendableValue {
  subscript(name: String) -> SendableValue? { dictionaryValue?[name] }
}

extension AsyncSequence where Failure == Never {
  /// The first element that fits.
  nonisolated(nonsending) func waitFor(_ fits: @Sendable (Element) -> Bool) async -> Element? {
    for await element in self where fits(element) { return element }
    return nil
  }
}

extension SpeechSynthesisEvent {
  var isProgress: Bool { if case .progress = self { true } else { false } }
}
