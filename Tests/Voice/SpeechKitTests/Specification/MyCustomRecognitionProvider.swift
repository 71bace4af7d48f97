// swift-format-ignore-file
// The text of the specification, as it is printed there.
import SpeechKit

@Observable
@MainActor
public final class MyCustomRecognitionProvider: SpeechRecognitionProvider {
    public static let identifier = "com.myapp.customrecognition"
    public static var isAvailable: Bool { true }

    public private(set) var isListening = false
    public var authorizationStatus: SpeechAuthorizationStatus = .notDetermined
    public private(set) var partialTranscription = ""

    private var resultsContinuation: AsyncStream<SpeechRecognitionResult>.Continuation?

    public var results: AsyncStream<SpeechRecognitionResult> {
        AsyncStream { continuation in
            self.resultsContinuation = continuation
        }
    }

    public func requestAuthorization() async -> SpeechAuthorizationStatus {
        // Implement your authorization logic
        authorizationStatus = .authorized
        return .authorized
    }

    public func startListening(locale: Locale) async throws {
        // Implement your recognition logic
        isListening = true
    }

    public func stopListening() {
        isListening = false
        resultsContinuation?.finish()
    }

    // Call this when you have results
    func emitResult(_ text: String, isFinal: Bool) {
        let result = SpeechRecognitionResult(
            text: text,
            isFinal: isFinal,
            confidence: 1.0
        )
        partialTranscription = text
        resultsContinuation?.yield(result)
    }
}
