import Foundation
import SpeechKit

/// The local voices' engines, by the names that options use.
enum VoiceProviderName: String, CaseIterable, Sendable {
  case espeak
  case flite
}

/// A voice as it is asked for: `flite:slt`, `espeak:de+f3`, or `en-gb` of whichever engine has it.
struct VoiceName: Sendable, Equatable {
  var provider: VoiceProviderName?
  /// The engine's own name of it; empty for the engine's choice.
  var voice: String

  init(provider: VoiceProviderName? = nil, voice: String = "") {
    self.provider = provider
    self.voice = voice
  }

  /// - Throws: `UsageError` when the part before the colon is no engine.
  init(_ text: String) throws(UsageError) {
    guard let colon = text.firstIndex(of: ":") else {
      self.init(voice: text)
      return
    }
    let name = String(text[..<colon])
    guard let provider = VoiceProviderName(rawValue: name) else {
      let nearest = NearestName.of(name, among: VoiceProviderName.allCases.map(\.rawValue))
      throw UsageError(
        "“\(name)” in “\(text)” is no engine; there are espeak and flite."
          + (nearest.map { " Did you mean “\($0)”?" } ?? ""))
    }
    self.init(provider: provider, voice: String(text[text.index(after: colon)...]))
  }
}

/// A local voice, ready to speak.
enum LocalVoice: Sendable {
  case espeak(EspeakConfiguration, voice: String)
  case flite(FliteConfiguration, voice: String)

  /// The voice of that name, in that manner.
  ///
  /// - Throws: `CommandFailure` when no engine has it.
  init(_ name: VoiceName, style: SpeakingStyle, isSSML: Bool = false) async throws {
    var espeak = EspeakConfiguration(style: style)
    espeak.interpretsSSML = isSSML
    let flite = FliteConfiguration(style: style)
    let isFound: Bool
    switch try await Self.provider(of: name, espeak, flite) {
    case .espeak:
      self = .espeak(espeak, voice: name.voice)
      isFound = await EspeakEngine().has(name.voice, espeak)
    case .flite:
      if isSSML {
        throw UsageError("Flite does not understand SSML; choose a voice of espeak.")
      }
      self = .flite(flite, voice: name.voice)
      isFound = await FliteEngine().has(name.voice, flite)
    }
    guard isFound else { throw await Self.unknown(name.voice, espeak, flite) }
  }

  /// A provider that plays it on that output.
  @MainActor func makeProvider(output: any AudioOutput) -> any SpeechSynthesisProvider {
    switch self {
    case .espeak(let configuration, _):
      EspeakSynthesisProvider(
        engine: EspeakEngine(), configuration: configuration, output: output)
    case .flite(let configuration, _):
      FliteSynthesisProvider(engine: FliteEngine(), configuration: configuration, output: output)
    }
  }

  /// The engine's own name of it; `nil` for the engine's choice.
  var voice: String? {
    switch self {
    case .espeak(_, let voice), .flite(_, let voice): voice.isEmpty ? nil : voice
    }
  }

  /// The name by which it can be asked for again.
  var name: String {
    switch self {
    case .espeak(_, let voice): voice.isEmpty ? "espeak" : "espeak:\(voice)"
    case .flite(_, let voice): voice.isEmpty ? "flite" : "flite:\(voice)"
    }
  }

  /// The sound of a text.
  func render(_ text: String) async throws -> PCMBuffer {
    switch self {
    case .espeak(let configuration, let voice):
      let engine = EspeakEngine()
      return try await engine.render(
        engine.makeRequest(text: text, voiceId: voice), configuration: configuration)
    case .flite(let configuration, let voice):
      let engine = FliteEngine()
      return try await engine.render(
        engine.makeRequest(text: text, voiceId: voice), configuration: configuration)
    }
  }

  /// Speaks into a file, or as WAV into a descriptor.
  func write(_ text: String, to place: OutputPlace) async throws {
    switch self {
    case .espeak(let configuration, let voice):
      try await place.take(text, voice, from: EspeakEngine(), configuration)
    case .flite(let configuration, let voice):
      try await place.take(text, voice, from: FliteEngine(), configuration)
    }
  }

  /// The engine that is named, or else the first that has the voice.
  private static func provider(
    of name: VoiceName, _ espeak: EspeakConfiguration, _ flite: FliteConfiguration
  ) async throws -> VoiceProviderName {
    if let provider = name.provider { return provider }
    if name.voice.isEmpty { return EspeakEngine.isAvailable ? .espeak : .flite }
    if await EspeakEngine().has(name.voice, espeak) { return .espeak }
    if await FliteEngine().has(name.voice, flite) { return .flite }
    throw await unknown(name.voice, espeak, flite)
  }

  private static func unknown(
    _ voice: String, _ espeak: EspeakConfiguration, _ flite: FliteConfiguration
  ) async -> CommandFailure {
    let known =
      ((try? await EspeakEngine().fetchVoices(languageCode: "", configuration: espeak)) ?? [])
      + ((try? await FliteEngine().fetchVoices(languageCode: "", configuration: flite)) ?? [])
    let nearest = NearestName.of(voice, among: known.flatMap { [$0.id, $0.name] })
    return CommandFailure(
      .unavailable,
      "There is no voice “\(voice)”." + (nearest.map { " Did you mean “\($0)”?" } ?? "")
        + " `speechkit voices` lists those that are installed.")
  }
}

extension VoiceEngine {
  /// Whether the engine can speak with that voice; every engine can with its own choice.
  fileprivate func has(_ voice: String, _ configuration: Configuration) async -> Bool {
    voice.isEmpty
      ? Self.isAvailable
      : await isVoiceAvailable(voiceId: voice, configuration: configuration)
  }
}

/// Where sound goes that is not played.
enum OutputPlace: Sendable {
  case file(URL)
  case standardOutput

  /// A path, or `-` for standard output.
  init(_ path: String) {
    self = path == "-" ? .standardOutput : .file(URL(filePath: path))
  }

  fileprivate func take<Engine: VoiceEngine>(
    _ text: String, _ voice: String, from engine: Engine, _ configuration: Engine.Configuration
  ) async throws {
    let request = engine.makeRequest(text: text, voiceId: voice)
    switch self {
    case .file(let url):
      try await engine.write(request, configuration: configuration, to: url)
    case .standardOutput:
      do {
        try await engine.write(
          request, configuration: configuration, toDescriptor: STDOUT_FILENO)
      } catch AudioError.writeFailed(_, let reason) {
        throw reason == String(cString: strerror(EPIPE)) ? OutputError.closed : .failed(reason)
      }
    }
  }
}
