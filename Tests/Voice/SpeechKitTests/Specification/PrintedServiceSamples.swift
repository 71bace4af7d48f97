// swift-format-ignore-file
// The samples of the specification's document on providers, as they are printed there. That this file
// compiles is half of the test.
import AIServices
import SpeechKit
import Testing

enum PrintedServiceSamples {
    static func registerProviders() {
        let serviceManager = AIServiceManager.shared

        // Register providers
        serviceManager.register(OpenAIProvider())
        serviceManager.register(AnthropicProvider())
        serviceManager.register(AppleIntelligenceProvider())
        serviceManager.register(ElevenLabsProvider())
    }

    static func storeCredentials() async throws {
        // OpenAI
        let openAICredential = AICredential(
            providerID: "openai",
            type: .apiKey,
            name: "OpenAI Production Key"
        )
        try await AICredentialManager.shared.store(
            credential: openAICredential,
            value: SecureString("sk-...")
        )

        // Anthropic
        let anthropicCredential = AICredential(
            providerID: "anthropic",
            type: .apiKey,
            name: "Anthropic Production Key"
        )
        try await AICredentialManager.shared.store(
            credential: anthropicCredential,
            value: SecureString("sk-ant-...")
        )

        // Apple Intelligence: No credentials needed

        // ElevenLabs
        let elevenLabsCredential = AICredential(
            providerID: "elevenlabs",
            type: .apiKey,
            name: "ElevenLabs Production Key"
        )
        try await AICredentialManager.shared.store(
            credential: elevenLabsCredential,
            value: SecureString("your-32-char-key")
        )
    }

    static func queryProviders() -> (all: Int, text: Int, audio: Int, hasOpenAI: Bool) {
        let serviceManager = AIServiceManager.shared
        var hasOpenAI = false

        // Get all providers
        let allProviders = serviceManager.allProviders()

        // Get providers by capability
        let textProviders = serviceManager.providers(withCapability: .textGeneration)
        let audioProviders = serviceManager.providers(withCapability: .audioGeneration)

        // Get specific provider
        if let openAI = serviceManager.provider(id: "openai") {
            // Use provider
            hasOpenAI = openAI.isConfigured()
        }
        return (allProviders.count, textProviders.count, audioProviders.count, hasOpenAI)
    }

    static func generateContent() async -> [Result<ResponseContent, AIServiceError>] {
        let serviceManager = AIServiceManager.shared
        var results: [Result<ResponseContent, AIServiceError>] = []

        // Text generation
        if let provider = serviceManager.provider(id: "openai") {
            let result = await provider.generate(
                prompt: "Your prompt",
                parameters: ["model": "gpt-4"]
            )
            results.append(result)
        }

        // Audio generation
        if let provider = serviceManager.provider(id: "elevenlabs") {
            let result = await provider.generate(
                prompt: "Text to speak",
                parameters: ["voice_id": "21m00Tcm4TlvDq8ikWAM"]
            )
            results.append(result)
        }
        return results
    }

    static func explainQuantumComputing() async throws {
        let provider = OpenAIProvider()

        // Store API key (one-time)
        let credential = AICredential(
            providerID: "openai",
            type: .apiKey,
            name: "Production Key"
        )
        try await AICredentialManager.shared.store(
            credential: credential,
            value: SecureString("sk-your-key-here")
        )

        // Generate text
        let result = await provider.generate(
            prompt: "Explain quantum computing",
            parameters: [
                "model": "gpt-4",
                "temperature": 0.7,
                "max_tokens": 500
            ]
        )

        switch result {
        case .success(let content):
            print(content.text ?? "")
        case .failure(let error):
            print("Error: \(error)")
        }
    }

    static func explainQuantumEntanglement() async -> Result<ResponseContent, AIServiceError> {
        let provider = AnthropicProvider()

        // Generate with system prompt
        let result = await provider.generate(
            prompt: "Explain quantum entanglement",
            parameters: [
                "model": "claude-3-opus-20240229",
                "max_tokens": 2048,
                "temperature": 0.8,
                "system": "You are a physics professor"
            ]
        )
        return result
    }

    static func summarizeOnDevice() async -> Result<ResponseContent, AIServiceError> {
        let provider = AppleIntelligenceProvider()

        // Works offline - no API key needed
        let result = await provider.generate(
            prompt: "Summarize this article: ...",
            parameters: [
                "temperature": 0.5,
                "max_length": 200
            ]
        )

        // Check device capabilities
        let deviceInfo = provider.getDeviceInfo()
        print(deviceInfo["platform"] as Any)    // "macOS" or "iOS"
        print(deviceInfo["privacy"] as Any)     // "all data stays on device"
        print(deviceInfo["requires_network"] as Any)  // "false"

        // Check platform support
        if AppleIntelligenceProvider.isSupported() {
            // Device supports Apple Intelligence
        }
        return result
    }

    static func speakIntoFile(_ outputURL: URL, customManager: AICredentialManager, customURL: String) async throws {
        // Custom configuration
        let provider = ElevenLabsProvider(
            credentialManager: customManager,
            baseURL: customURL
        )

        // Generate speech
        let result = await provider.generate(
            prompt: "Hello, world!",
            parameters: [
                "voice_id": "21m00Tcm4TlvDq8ikWAM",
                "model_id": "eleven_monolingual_v1",
                "stability": 0.5,
                "clarity_boost": 0.75
            ]
        )

        switch result {
        case .success(let content):
            if let audioContent = content.audioContent {
                // audioContent.data is MP3 binary data
                // audioContent.format is .mp3
                try audioContent.data.write(to: outputURL)
            }
        case .failure(let error):
            print("TTS Error: \(error)")
        }
    }

    static func provideWithCustomConfiguration(customManager: AICredentialManager, customURL: String) -> [any AIServiceProvider] {
        let openAI = OpenAIProvider(
            credentialManager: customManager,
            baseURL: customURL
        )
        let anthropic = AnthropicProvider(
            credentialManager: customManager,
            baseURL: customURL
        )
        let elevenLabs = ElevenLabsProvider(
            credentialManager: customManager,
            baseURL: customURL
        )
        return [openAI, anthropic, elevenLabs]
    }

    static func shareProviders() -> [any AIServiceProvider] {
        [OpenAIProvider.shared(), AnthropicProvider.shared(), AppleIntelligenceProvider.shared(), ElevenLabsProvider.shared()]
    }

    static func takeApart(_ content: ResponseContent) -> (String?, Data?, Data?, Data?, [String: SendableValue]?) {
        let text: Optional<String> = content.text                    // Optional<String>
        let data: Optional<Data> = content.dataContent             // Optional<Data>
        let audio: Optional<(data: Data, format: ResponseContent.AudioFormat)> = content.audioContent
        let image: Optional<(data: Data, format: ResponseContent.ImageFormat)> = content.imageContent
        let structured: Optional<[String: SendableValue]> = content.structuredContent
        return (text, data, audio?.data, image?.data, structured)
    }

    /// Every printed case, so that none is missing.
    static func name(_ error: AIServiceError) -> String {
        switch error {
        case .missingCredentials(let text): return "missingCredentials \(text)"
        case .invalidAPIKey(let text): return "invalidAPIKey \(text)"
        case .authenticationFailed(let text): return "authenticationFailed \(text)"
        case .rateLimitExceeded(let text, retryAfter: let seconds): return "rateLimitExceeded \(text) \(seconds ?? 0)"
        case .invalidRequest(let text): return "invalidRequest \(text)"
        case .timeout(let text): return "timeout \(text)"
        case .connectionFailed(let text): return "connectionFailed \(text)"
        case .networkError(let text): return "networkError \(text)"
        case .providerError(let text): return "providerError \(text)"
        case .unexpectedResponseFormat(let text): return "unexpectedResponseFormat \(text)"
        case .dataConversionError(let text): return "dataConversionError \(text)"
        case .configurationError(let text): return "configurationError \(text)"
        }
    }

    /// The printed test of a provider, for any of them.
    static func testMissingCredentials(_ makeProvider: (AICredentialManager, String) -> any AIServiceProvider) async {
        let credentialManager = AICredentialManager()
        let provider = makeProvider(
            credentialManager,
            "https://test.example.com"
        )

        let result = await provider.generate(
            prompt: "test",
            parameters: [:]
        )

        switch result {
        case .success:
            Issue.record("Expected failure for missing credentials")
        case .failure(let error):
            if case .missingCredentials = error {
                // Expected
            } else {
                Issue.record("Expected missingCredentials error")
            }
        }
    }
}
