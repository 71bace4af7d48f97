import SpeechKit
import Testing

/// A recogniser whose results are typed instead of spoken.
@Observable
@MainActor
final class TypedProvider: SpeechRecognitionProvider {
  static let identifier = "com.example.typed"
  static let isAvailable = true
  let authorizationStatus = SpeechAuthorizationStatus.authorized
  let partialTranscription = ""
  private(set) var isListening = false
  private var listener: AsyncStream<SpeechRecognitionResult>.Continuation?

  var results: AsyncStream<SpeechRecognitionResult> { AsyncStream { listener = $0 } }

  func requestAuthorization() async -> SpeechAuthorizationStatus { authorizationStatus }

  func startListening(locale: Locale) async throws { isListening = true }

  func stopListening() {
    isListening = false
    listener?.finish()
  }

  func type(_ line: String) {
    listener?.yield(SpeechRecognitionResult(text: line, isFinal: true))
  }
}

@MainActor
struct TypedProviderTests {
  @Test func `typed text reaches every listener`() async throws {
    let keyboard = TypedProvider()
    let engine = SpeechRecognitionEngine(provider: keyboard)
    try await engine.startListening(locale: Locale(identifier: "en-US"))
    let (first, second) = (engine.results, engine.results)
    keyboard.type("turn the light on")
    engine.stopListening()
    #expect(await first.texts() == ["turn the light on"])
    #expect(await second.texts() == ["turn the light on"])
  }
}
