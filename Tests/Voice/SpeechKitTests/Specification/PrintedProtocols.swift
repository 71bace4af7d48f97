// swift-format-ignore-file
// The text of the specification, as it is printed there.
import SpeechKit

// The protocols of the specification, in a namespace of their own. The toolkit's own types conform
// to them, so nothing printed is missing or different.
enum Printed {
    @MainActor
    public protocol SpeechRecognitionProvider: AnyObject {
        /// Unique identifier for the provider
        static var identifier: String { get }

        /// Whether the provider is available on this device
        static var isAvailable: Bool { get }

        /// Current listening state
        var isListening: Bool { get }

        /// Authorization status
        var authorizationStatus: SpeechAuthorizationStatus { get }

        /// Current partial transcription
        var partialTranscription: String { get }

        /// Stream of recognition results
        var results: AsyncStream<SpeechRecognitionResult> { get }

        /// Request authorization
        func requestAuthorization() async -> SpeechAuthorizationStatus

        /// Start listening for speech
        func startListening(locale: Locale) async throws

        /// Stop listening
        func stopListening()
    }

    @MainActor
    public protocol SpeechSynthesisProvider: AnyObject {
        /// Unique identifier for the provider
        static var identifier: String { get }

        /// Whether the provider is available
        static var isAvailable: Bool { get }

        /// Current playback state
        var isPlaying: Bool { get }

        /// Whether playback is paused
        var isPaused: Bool { get }

        /// Supported capabilities
        var capabilities: Set<SpeechSynthesisCapability> { get }

        /// Stream of synthesis events
        var events: AsyncStream<SpeechSynthesisEvent> { get }

        /// Speak text with optional voice
        func speak(text: String, voice: String?) async throws

        /// Stop playback
        func stop()

        /// Pause playback
        func pause()

        /// Resume playback
        func resume()
    }

    public protocol VoiceEngine: Sendable {
        associatedtype Configuration: Sendable
        var engineId: String { get }
        func canGenerate(with configuration: Configuration) -> Bool
        func fetchVoices(languageCode: String, configuration: Configuration) async throws -> [Voice]
        func generateAudio(request: VoiceEngineRequest, configuration: Configuration) async throws -> VoiceEngineOutput
        func estimateDuration(request: VoiceEngineRequest, configuration: Configuration) -> TimeInterval
        func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool
    }
}

extension MockSpeechRecognitionProvider: Printed.SpeechRecognitionProvider {}
extension DecoderRecognitionProvider: Printed.SpeechRecognitionProvider {}
extension MyCustomRecognitionProvider: Printed.SpeechRecognitionProvider {}

extension MockSpeechSynthesisProvider: Printed.SpeechSynthesisProvider {}
extension VoiceSynthesisProvider: Printed.SpeechSynthesisProvider {}
extension MyCustomSynthesisProvider: Printed.SpeechSynthesisProvider {}

#if Espeak
extension EspeakEngine: Printed.VoiceEngine {}
#endif
extension FliteEngine: Printed.VoiceEngine {}
