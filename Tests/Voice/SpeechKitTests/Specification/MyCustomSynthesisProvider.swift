// swift-format-ignore-file
// The text of the specification, as it is printed there.
import SpeechKit

@Observable
@MainActor
public final class MyCustomSynthesisProvider: SpeechSynthesisProvider {
    public static let identifier = "com.myapp.customsynthesis"
    public static var isAvailable: Bool { true }

    public private(set) var isPlaying = false
    public private(set) var isPaused = false

    public var capabilities: Set<SpeechSynthesisCapability> {
        [.pause, .resume]
    }

    private var eventsContinuation: AsyncStream<SpeechSynthesisEvent>.Continuation?

    public var events: AsyncStream<SpeechSynthesisEvent> {
        AsyncStream { continuation in
            self.eventsContinuation = continuation
        }
    }

    public func speak(text: String, voice: String?) async throws {
        guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
            throw SpeechSynthesisProviderError.invalidText
        }

        isPlaying = true
        eventsContinuation?.yield(.started)

        // Implement your synthesis logic here
        // ...

        isPlaying = false
        eventsContinuation?.yield(.completed)
    }

    public func stop() {
        isPlaying = false
        isPaused = false
        eventsContinuation?.yield(.failed(.cancelled))
    }

    public func pause() {
        guard isPlaying else { return }
        isPlaying = false
        isPaused = true
        eventsContinuation?.yield(.paused)
    }

    public func resume() {
        guard isPaused else { return }
        isPlaying = true
        isPaused = false
        eventsContinuation?.yield(.resumed)
    }
}
