import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechConcurrency
import SpeechCore
import SpeechFlite
import TestSupport

/// A server that speaks, speakers in memory, and voices of services between them.
///
/// The server produces distinct samples for each character, so that the audio can be compared with
/// the text to the sample.
@MainActor
struct CloudBench {
  nonisolated static let framesPerCharacter = 240
  nonisolated static let secondsPerCharacter = 0.01
  nonisolated static let key = "sk-marked-0123456789-canary-ABCDEFGH"

  let server: LoopbackServer
  let clock = VirtualClock()
  let speaker: MemorySpeaker
  let output: TellingOutput
  let credentials = AICredentialManager()
  let environment: ServiceEnvironment

  init(buffer: Duration = .milliseconds(100)) async throws {
    server = try LoopbackServer()
    speaker = MemorySpeaker(clock: clock, buffer: buffer)
    output = TellingOutput(speaker)
    environment = ServiceEnvironment(
      transport: CurlTransport(offline: OfflineMode()), clock: ServiceClock(SkippingClock()))
    for id in ["openai", "elevenlabs"] {
      try await credentials.store(
        credential: AICredential(providerID: id, type: .apiKey, name: "Test"),
        value: SecureString(Self.key))
    }
  }

  // MARK: Voices

  /// Long timeouts, so that a busy machine is not taken for a service that is down.
  nonisolated static let patient = CloudVoiceConfiguration(
    timeouts: HTTPTimeouts(
      connect: .seconds(60), firstByte: .seconds(60), idle: .seconds(60), total: nil))

  func openAI(
    credentials: AICredentialManager? = nil,
    _ change: (inout OpenAIConfiguration) -> Void = { _ in }
  ) -> OpenAIVoice {
    var configuration = OpenAIConfiguration(baseURL: server.url("/v1").absoluteString)
    change(&configuration)
    return OpenAIVoice(
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
    _ voice: Voice, _ configuration: CloudVoiceConfiguration = CloudBench.patient
  ) -> VoiceSynthesisProvider<Voice> {
    VoiceSynthesisProvider(engine: voice, configuration: configuration, output: output)
  }

  func provider(_ voice: LocalVoice) -> VoiceSynthesisProvider<LocalVoice> {
    VoiceSynthesisProvider(engine: voice, configuration: .default, output: speaker)
  }

  // MARK: What is heard

  /// All of it.
  var heard: Samples { Samples(speaker.sounds.flatMap(\.audio.samples)) }

  /// One of the recordings, each of which is heard without a break.
  func heard(_ index: Int) -> Samples? {
    let sounds = speaker.sounds
    return sounds.indices.contains(index) ? Samples(sounds[index].audio.samples) : nil
  }

  /// The server's samples for a text.
  nonisolated static func samples(of text: String) -> Samples {
    Samples(
      text.unicodeScalars.flatMap { scalar in
        (0..<framesPerCharacter).map { Int16(truncatingIfNeeded: Int(scalar.value) * 60 + $0) }
      })
  }

  nonisolated static func bytes(of text: String) -> Data {
    let samples = samples(of: text).values
    var bytes = Data(capacity: samples.count * 2)
    for sample in samples {
      let bits = UInt16(bitPattern: sample)
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
    return bytes
  }

  // MARK: Replies

  /// Speech without times, in the format of OpenAI's interface.
  nonisolated static func speech(_ request: RecordedRequest) -> ScriptedReply {
    .fixed(
      headers: ["Content-Type": "audio/pcm"],
      body: bytes(of: request.json["input"]?.stringValue ?? ""))
  }

  /// Speech with times, a line for a number of characters, in the format of ElevenLabs' interface.
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
    // A character that consists of several scalars is as long as all of them.
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

/// Samples that are compared as a whole, because listing differences in thousands takes minutes.
struct Samples: Equatable, Sendable, CustomStringConvertible {
  var values: [Int16]

  init(_ values: [Int16] = []) { self.values = values }

  var isEmpty: Bool { values.isEmpty }

  var description: String { "\(values.count) samples from \(values.first ?? 0)" }

  static func + (one: Samples, other: Samples) -> Samples { Samples(one.values + other.values) }
}

/// Flite, with a record of the texts it spoke.
struct LocalVoice: VoiceEngine {
  static let identifier = FliteEngine.identifier
  static let isOffline = true

  let engineId = "local"
  private let flite = FliteEngine()
  private let said = Guarded<[String]>([])

  /// All texts so far.
  var texts: [String] { said.withLock { $0 } }

  func canGenerate(with configuration: FliteConfiguration) -> Bool { true }

  func fetchVoices(
    languageCode: String, configuration: FliteConfiguration
  ) async throws -> [Voice] {
    try await flite.fetchVoices(languageCode: languageCode, configuration: configuration)
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) async throws -> VoiceEngineOutput {
    try await flite.generateAudio(request: request, configuration: configuration)
  }

  func estimateDuration(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) -> TimeInterval {
    flite.estimateDuration(request: request, configuration: configuration)
  }

  func isVoiceAvailable(voiceId: String, configuration: FliteConfiguration) async -> Bool { true }

  func streamAudio(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    said.withLock { $0.append(request.text) }
    return flite.streamAudio(request: request, configuration: configuration)
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
  /// The first element that matches.
  nonisolated(nonsending) func waitFor(_ fits: @Sendable (Element) -> Bool) async -> Element? {
    for await element in self where fits(element) { return element }
    return nil
  }
}

extension SpeechSynthesisEvent {
  var isProgress: Bool { if case .progress = self { true } else { false } }
}
