import Foundation
import SpeechAudio

/// A voice engine in a catalogue: its name, its features, its availability, and how to create it.
///
/// Each backend declares its entry next to its own code:
/// ```swift
/// extension VoiceEntry {
///   public static let flite = VoiceEntry(
///     "flite", displayName: "Flite", features: [.pitch], remedy: "Install the package libflite1."
///   ) { settings in
///     (FliteEngine(), FliteConfiguration(style: settings.style))
///   }
/// }
/// ```
public struct VoiceEntry: Sendable {
  /// A feature that not every engine has.
  public enum Feature: String, Sendable, Hashable, CaseIterable {
    /// It understands SSML, the speech synthesis markup language.
    case ssml = "SSML"
    /// It changes the pitch of its voices.
    case pitch = "changes of pitch"
    /// It can use another server of its kind.
    case server = "other servers"
    /// Its list of voices is fixed, so that listing them needs no key.
    case fixedVoices = "a fixed list of voices"
  }

  /// The name by which users choose it, in lower case: `flite`.
  public let name: String
  /// The name that is displayed: “Flite”.
  public let displayName: String
  /// The identifier of the providers that speak with this engine.
  public let identifier: String
  /// True if it needs no network.
  public let isLocal: Bool
  /// The features it has.
  public let features: Set<Feature>
  /// The names of its voices, its default first, if they are few and known without starting it.
  public let variants: [String]
  /// The library it loads, if it has one of its own.
  public let library: SystemLibrary?
  /// The remedy if it does not work.
  public let remedy: String
  /// The engine's knowledge of how words are pronounced, for recognisers whose dictionary lacks
  /// them.
  public let pronunciations: AnyPronunciationSource?

  private let availability: @Sendable () -> Bool
  private let access: @Sendable (VoiceSettings) async throws -> Void
  private let make: @Sendable (VoiceSettings) -> any ConfiguredVoice

  /// Declares an engine.
  ///
  /// - Parameters:
  ///   - access: throws if the engine may not be used, for example because its key is missing.
  ///   - make: creates the engine and its configuration.
  public init<Engine: VoiceEngine>(
    _ name: String, displayName: String, features: Set<Feature> = [],
    variants: [String] = [], library: SystemLibrary? = nil, remedy: String,
    pronunciations: AnyPronunciationSource? = nil,
    access: @escaping @Sendable (VoiceSettings) async throws -> Void = { _ in },
    make: @escaping @Sendable (VoiceSettings) -> (Engine, Engine.Configuration)
  ) {
    self.name = name
    self.displayName = displayName
    self.features = features
    self.variants = variants
    self.library = library
    self.remedy = remedy
    self.pronunciations = pronunciations
    self.access = access
    identifier = Engine.identifier
    isLocal = Engine.isOffline
    availability = { Engine.isAvailable }
    self.make = { settings in
      let (engine, configuration) = make(settings)
      return ConfiguredEngine(engine: engine, configuration: configuration)
    }
  }

  /// True if the engine could run on this machine as installed.
  public var isAvailable: Bool { availability() }

  /// Throws if the engine may not be used, for example because its key is missing.
  package func checkAccess(_ settings: VoiceSettings = VoiceSettings()) async throws {
    try await access(settings)
  }

  /// Creates a voice. An empty name is the engine's default voice, and `auto` is the voice of the
  /// language of each text.
  ///
  /// - Throws: `SpeechCatalogError.unsupported` for settings that the engine does not support.
  public func voice(
    _ voice: String = "", settings: VoiceSettings = VoiceSettings()
  ) throws(SpeechCatalogError) -> AnyVoice {
    try check(.ssml, isWanted: settings.interpretsSSML)
    try check(.pitch, isWanted: settings.style.pitchMultiplier != 1)
    try check(.server, isWanted: settings.server != nil)
    let name = BackendName(entry: name, variant: voice, server: settings.server)
    let engine = make(settings)
    return AnyVoice(
      name: name, entry: self,
      engine: voice == BackendName.followingLanguage ? following(engine) : engine)
  }

  private func following(_ engine: some ConfiguredVoice) -> any ConfiguredVoice {
    LanguageFollowing(engine)
  }

  /// The engine's voices for a language (`"en"`, `"de-DE"`; empty for all), with the name of this
  /// entry as their provider.
  ///
  /// - Throws: whatever the engine throws; the error of `checkAccess` if the list is not fixed.
  public func voices(
    languageCode: String = "", settings: VoiceSettings = VoiceSettings()
  ) async throws -> [Voice] {
    if !features.contains(.fixedVoices) { try await checkAccess(settings) }
    let voices = try await make(settings).fetchVoices(
      languageCode: languageCode, configuration: ())
    return voices.map {
      var voice = $0
      voice.providerId = name
      return voice
    }
  }

  /// Creates a provider that speaks with the engine's default voice.
  @MainActor public func makeProvider(output: any AudioOutput) -> any SpeechSynthesisProvider {
    make(VoiceSettings()).makeProvider(on: output)
  }

  private func check(_ feature: Feature, isWanted: Bool) throws(SpeechCatalogError) {
    guard isWanted, !features.contains(feature) else { return }
    throw .unsupported(feature.rawValue, by: displayName, others: [])
  }
}
