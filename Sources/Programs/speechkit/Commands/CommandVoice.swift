import Foundation
import SpeechKit
import SpeechTesting
import SpeechText

/// A voice that the command line asked for, ready to speak.
struct CommandVoice: Sendable {
  private let ready: any ReadyVoice

  /// The voice of that name, in that manner.
  ///
  /// - Parameter server: the address of a server of OpenAI's kind, for its voices.
  /// - Throws: `CommandFailure` when no engine has it.
  init(
    _ name: VoiceName, style: SpeakingStyle, isSSML: Bool = false, server: String? = nil
  ) async throws {
    let provider = try await Self.provider(of: name)
    guard provider == .espeak || !isSSML else {
      throw UsageError(
        "\(provider.displayName) does not understand SSML; choose a voice of espeak.")
    }
    guard provider.isLocal || style.pitchMultiplier == 1 else {
      throw UsageError("\(provider.displayName) does not change the pitch of its voices.")
    }
    switch provider {
    case .espeak:
      var configuration = EspeakConfiguration(style: style)
      configuration.interpretsSSML = isSSML
      ready = EngineVoice(EspeakEngine(), configuration, name.voice, of: provider)
    case .flite:
      ready = EngineVoice(FliteEngine(), FliteConfiguration(style: style), name.voice, of: provider)
    case .elevenlabs:
      ready = EngineVoice(
        ElevenLabsProvider(), CloudVoiceConfiguration(style: style), name.voice, of: provider)
    case .openai:
      ready = EngineVoice(
        OpenAITTSProvider(server: server), CloudVoiceConfiguration(style: style), name.voice,
        of: provider)
    }
    // A service says itself what it does not have; asking it first would cost time with every text.
    if provider.isLocal, try await !ready.exists() { throw await Self.unknown(name) }
  }

  /// A provider that plays it on that output.
  @MainActor func makeProvider(output: any AudioOutput) -> any SpeechSynthesisProvider {
    ready.makeProvider(output: output)
  }

  /// What says a text on that output while it is still coming.
  @MainActor func sentences(output: any AudioOutput) -> SentenceVoice {
    SentenceVoice(SpeechSynthesisEngine(provider: makeProvider(output: output)), voice: voice)
  }

  /// The engine's own name of it; `nil` for the engine's choice.
  var voice: String? { ready.voice.isEmpty ? nil : ready.voice }

  /// The name by which it can be asked for again.
  var name: String {
    ready.voice.isEmpty ? ready.provider.rawValue : "\(ready.provider.rawValue):\(ready.voice)"
  }

  /// The sound of a text.
  func render(_ text: String) async throws -> PCMBuffer { try await ready.render(text) }

  /// Speaks into a file, or as WAV into a descriptor.
  func write(_ text: String, to place: OutputPlace, on terminal: Terminal) async throws {
    try await ready.write(text, to: place, on: terminal)
  }

  /// It, on the bench of a lab.
  func onBench(named name: String) -> RecognitionLab.Voice { ready.onBench(named: name) }

  /// The engine that is named, or else the first on this machine that has the voice.
  private static func provider(of name: VoiceName) async throws -> VoiceProviderName {
    if let provider = name.provider { return provider }
    if name.voice.isEmpty { return EspeakEngine.isAvailable ? .espeak : .flite }
    if await EspeakEngine().isVoiceAvailable(voiceId: name.voice, configuration: .default) {
      return .espeak
    }
    if await FliteEngine().isVoiceAvailable(voiceId: name.voice, configuration: .default) {
      return .flite
    }
    throw await unknown(name)
  }

  private static func unknown(_ name: VoiceName) async -> any Error {
    var known =
      (try? await FliteEngine().fetchVoices(languageCode: "", configuration: .default)) ?? []
    do {
      known += try await EspeakEngine().fetchVoices(languageCode: "", configuration: .default)
    } catch {
      // It is installed and cannot start, so nobody knows whether it has that voice.
      if EspeakEngine.isAvailable, name.provider != .flite { return error }
    }
    let nearest = NearestName.of(name.voice, among: known.flatMap { [$0.id, $0.name] })
    return CommandFailure(
      .unavailable,
      "There is no voice “\(name.voice)”." + (nearest.map { " Did you mean “\($0)”?" } ?? "")
        + " `speechkit voices` lists those that are installed.")
  }
}

/// What a command does with a voice, whatever its engine.
private protocol ReadyVoice: Sendable {
  var provider: VoiceProviderName { get }
  var voice: String { get }

  func exists() async throws -> Bool
  @MainActor func makeProvider(output: any AudioOutput) -> any SpeechSynthesisProvider
  func render(_ text: String) async throws -> PCMBuffer
  func write(_ text: String, to place: OutputPlace, on terminal: Terminal) async throws
  func onBench(named name: String) -> RecognitionLab.Voice
}

/// An engine with what it needs to speak.
private struct EngineVoice<Engine: VoiceEngine>: ReadyVoice {
  let engine: Engine
  let configuration: Engine.Configuration
  let voice: String
  let provider: VoiceProviderName

  init(
    _ engine: Engine, _ configuration: Engine.Configuration, _ voice: String,
    of provider: VoiceProviderName
  ) {
    self.engine = engine
    self.configuration = configuration
    self.voice = voice
    self.provider = provider
  }

  /// Every engine that is installed can speak with its own choice.
  func exists() async throws -> Bool {
    voice.isEmpty
      ? Engine.isAvailable
      : await engine.isVoiceAvailable(voiceId: voice, configuration: configuration)
  }

  @MainActor func makeProvider(output: any AudioOutput) -> any SpeechSynthesisProvider {
    VoiceSynthesisProvider(engine: engine, configuration: configuration, output: output)
  }

  func render(_ text: String) async throws -> PCMBuffer {
    try await engine.render(
      engine.makeRequest(text: text, voiceId: voice), configuration: configuration)
  }

  func write(_ text: String, to place: OutputPlace, on terminal: Terminal) async throws {
    try await place.take(text, voice, from: engine, configuration, on: terminal)
  }

  func onBench(named name: String) -> RecognitionLab.Voice {
    RecognitionLab.Voice(name, of: engine, configuration: configuration, voice: voice)
  }
}

extension OpenAITTSProvider {
  /// The voices of OpenAI, or those of another server of its kind.
  init(server: String?) {
    self.init(service: OpenAIProvider(server: server))
  }
}

extension OpenAIProvider {
  /// OpenAI, or another server of its kind.
  convenience init(server: String?) {
    if let server {
      self.init(
        configuration: .compatible(id: "openai", displayName: "The server", baseURL: server))
    } else {
      self.init()
    }
  }
}
