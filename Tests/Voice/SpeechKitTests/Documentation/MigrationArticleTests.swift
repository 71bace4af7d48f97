import AIServices
import LLMSocket
import SpeechKit
import TestSupport
import Testing

/// The names of the article on migration.
@MainActor
struct MigrationArticleTests {
  /// The types that the article says to exist. That this compiles is half of the test.
  private static let types: [String: Any.Type] = [
    "SpeechRecognitionEngine": SpeechRecognitionEngine.self,
    "SpeechRecognitionEngineProtocol": (any SpeechRecognitionEngineProtocol).self,
    "SpeechRecognitionProvider": (any SpeechRecognitionProvider).self,
    "SpeechRecognitionProviderType": SpeechRecognitionProviderType.self,
    "SpeechRecognitionResult": SpeechRecognitionResult.self,
    "SpeechRecognitionError": SpeechRecognitionError.self,
    "SpeechAuthorizationStatus": SpeechAuthorizationStatus.self,
    "SFSpeechRecognizerProvider": SFSpeechRecognizerProvider.self,
    "SpeechAnalyzerProvider": SpeechAnalyzerProvider.self,
    "MockSpeechRecognitionProvider": MockSpeechRecognitionProvider.self,
    "SpeechSynthesisEngine": SpeechSynthesisEngine.self,
    "SpeechSynthesisEngineProtocol": (any SpeechSynthesisEngineProtocol).self,
    "SpeechSynthesisProvider": (any SpeechSynthesisProvider).self,
    "SpeechSynthesisProviderType": SpeechSynthesisProviderType.self,
    "SpeechSynthesisProviderError": SpeechSynthesisProviderError.self,
    "SpeechSynthesisCapability": SpeechSynthesisCapability.self,
    "SpeechSynthesisEvent": SpeechSynthesisEvent.self,
    "AppleSpeechSynthesisProvider": AppleSpeechSynthesisProvider.self,
    "AppleSpeechSynthesisConfiguration": AppleSpeechSynthesisConfiguration.self,
    "LocalTTSProvider": LocalTTSProvider.self,
    "ElevenLabsProvider": ElevenLabsProvider.self,
    "MockSpeechSynthesisProvider": MockSpeechSynthesisProvider.self,
    "VoiceEngine": (any VoiceEngine).self,
    "VoiceEngineRequest": VoiceEngineRequest.self,
    "VoiceEngineOutput": VoiceEngineOutput.self,
    "VoiceEngineAudioFormat": VoiceEngineAudioFormat.self,
    "Voice": Voice.self,
    "VoiceProvider": (any VoiceProvider).self,
    "VoiceProviderError": VoiceProviderError.self,
    "AppleVoiceProvider": AppleVoiceProvider.self,
    "AppleTTSEngineBoundary": AppleTTSEngineBoundary.self,
    "AVSpeechTTSEngine": AVSpeechTTSEngine.self,
    "AIServiceManager": AIServiceManager.self,
    "AIServiceProvider": (any AIServiceProvider).self,
    "AIServiceError": AIServiceError.self,
    "AICapability": AICapability.self,
    "AICredential": AICredential.self,
    "AICredentialManager": AICredentialManager.self,
    "SecureString": SecureString.self,
    "ResponseContent": ResponseContent.self,
    "SendableValue": SendableValue.self,
    "DataStructureCapability": DataStructureCapability.self,
    "BaseHTTPProvider": BaseHTTPProvider.self,
    "OpenAIProvider": OpenAIProvider.self,
    "AnthropicProvider": AnthropicProvider.self,
    "AppleIntelligenceProvider": AppleIntelligenceProvider.self,
    "LLMService": LLMService.self,
  ].merging(services) { own, _ in own }

  #if Cloud
  private static let services: [String: Any.Type] = [
    "OpenAITTSProvider": OpenAITTSProvider.self,
    "ElevenLabsVoiceProvider": ElevenLabsVoiceProvider.self,
    "ElevenLabsEngine": ElevenLabsEngine.self,
  ]
  #else
  private static let services: [String: Any.Type] = [:]
  #endif

  /// Names that the article says not to exist.
  private static let missing: Set = ["SocketManager", "SocketIOClient", "pendingCompletions"]

  @Test func `every name of the article exists, and every name that exists is in it`() throws {
    let article = ProjectFolder.root.appending(
      path: "Sources/Voice/SpeechKit/SpeechKit.docc/Migrating.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let names = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(Set(names).count == names.count)
    #if Cloud
    #expect(Set(names) == Set(Self.types.keys).union(Self.missing))
    #else
    #expect(Set(names).isSuperset(of: Set(Self.types.keys).union(Self.missing)))
    #endif
  }

  @Test func `the differences are as the article states them`() {
    #expect(
      SpeechRecognitionEngine(providerType: .sfSpeechRecognizer).providerType == .pocketSphinx)
    #expect(SpeechRecognitionProviderType.allCases.count > 3)
    #expect(SpeechSynthesisProviderType.allCases.count >= 5)
    #expect(AppleSpeechSynthesisProvider.identifier.hasPrefix("com.speechkit."))
    #expect(SFSpeechRecognizerProvider.identifier == "com.speechkit.pocketsphinx")
    #expect(AppleSpeechSynthesisProvider().capabilities.contains(.streaming))
    #expect(SpeechSynthesisEngine(provider: MockSpeechSynthesisProvider()).fallback == nil)
  }

  #if Cloud
  @Test func `a service is the provider of an engine`() {
    let engine = SpeechSynthesisEngine(provider: ElevenLabsProvider())
    #expect(engine.providerType == .elevenLabs)
  }
  #endif

  @Test func `a list is rendered into a folder`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "migrating-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let voice = try await SpeechCatalog.current.voice("flite:slt")

    let list = SpeechList(["Good morning.", "It is eight o'clock."])
    let files = try await list.render(with: voice, to: folder)

    #expect(files.map(\.lastPathComponent) == ["001.wav", "002.wav"])
    #expect(try AudioFile.read(files[1]).duration > .milliseconds(500))
    #expect(list.progress == 1)
  }
}
