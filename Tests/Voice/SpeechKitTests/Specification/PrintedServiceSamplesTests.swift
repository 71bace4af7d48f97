import AIServiceTesting
import SpeechKit
import Testing

/// The samples of the specification's document on providers, at work.
struct PrintedServiceSamplesTests {
  @Test func `registering, storing, finding providers and generating work as printed`() async {
    await #expect(processExitsWith: .success) {
      // A process of its own, with a home of its own: `.shared` is what the samples use.
      let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: home) }
      setenv("HOME", home.path, 1)
      setenv("XDG_DATA_HOME", home.path, 1)
      for name in [
        "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "CREDENTIALS_DIRECTORY", "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY", "ELEVENLABS_API_KEY",
      ] {
        unsetenv(name)
      }
      OfflineMode.shared.isOn = true

      PrintedServiceSamples.registerProviders()
      try await PrintedServiceSamples.storeCredentials()
      let found = PrintedServiceSamples.queryProviders()
      #expect(found == (all: 4, text: 3, audio: 1, hasOpenAI: true))
      for id in ["openai", "anthropic", "elevenlabs"] {
        #expect(await AICredentialManager.shared.has(providerID: id, type: .apiKey))
      }

      // With the network switched off all but the model's retirement is known to be asked in vain.
      let results = await PrintedServiceSamples.generateContent()
      let names = results.map { result -> String in
        if case .failure(let error) = result { PrintedServiceSamples.name(error) } else { "" }
      }
      #expect(names.count == 2)
      #expect(names.first?.contains("gpt-4") == true || names.first?.contains("offline") == true)
      // The printed key, “your-32-char-key”, has 16 characters.
      #expect(names.last?.hasPrefix("invalidAPIKey") == true)
      #expect(names.last?.contains("32 characters") == true)
      try await PrintedServiceSamples.explainQuantumComputing()
      guard
        case .failure(.configurationError) =
          await PrintedServiceSamples.explainQuantumEntanglement()
      else {
        Issue.record("not the failure")
        return
      }
      let summary = try await PrintedServiceSamples.summarizeOnDevice().get()
      #expect(summary.text?.contains("not a language model") == true)
      #expect((summary.text?.count ?? 0) <= 200)
    }
  }

  @Test func `generated speech is written to a file as printed`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { _ in
      .fixed(headers: ["Content-Type": "audio/mpeg"], body: Data("ID3 sound".utf8))
    }
    let manager = AICredentialManager()
    try await manager.store(
      credential: AICredential(providerID: "elevenlabs", type: .apiKey, name: "Test"),
      value: SecureString("your-32-char-key"))
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp3")
    defer { try? FileManager.default.removeItem(at: file) }
    try await PrintedServiceSamples.speakIntoFile(
      file, customManager: manager, customURL: server.url().absoluteString)
    #expect(try Data(contentsOf: file) == Data("ID3 sound".utf8))
    let body = try JSONDecoder().decode(
      SendableValue.self, from: try #require(server.requests.first).body)
    #expect(
      body == [
        "text": "Hello, world!", "model_id": "eleven_monolingual_v1",
        "voice_settings": ["stability": 0.5, "similarity_boost": 0.75],
      ])
  }

  @Test func `custom and shared providers are as printed`() {
    let custom = PrintedServiceSamples.provideWithCustomConfiguration(
      customManager: AICredentialManager(), customURL: "https://gateway.example/v1")
    #expect(custom.map(\.id) == ["openai", "anthropic", "elevenlabs"])
    #expect(custom.allSatisfy { $0.isConfigured() })
    let shared = PrintedServiceSamples.shareProviders()
    #expect(shared.map(\.requiresAPIKey) == [true, true, false, true])
    #expect(shared.map(\.responseType) == [.text, .text, .text, .audio])
  }

  @Test func `every provider reports a missing key before it sends anything`() async {
    await PrintedServiceSamples.testMissingCredentials {
      OpenAIProvider(credentialManager: $0, baseURL: $1)
    }
    await PrintedServiceSamples.testMissingCredentials {
      AnthropicProvider(credentialManager: $0, baseURL: $1)
    }
    await PrintedServiceSamples.testMissingCredentials {
      ElevenLabsProvider(credentialManager: $0, baseURL: $1)
    }
  }

  @Test func `accessors return the parts of a content`() {
    let sound = Data("sound".utf8)
    let (text, data, audio, image, structured) = PrintedServiceSamples.takeApart(
      .audio(sound, format: .mp3))
    #expect(text == nil && image == nil && structured == nil)
    #expect(data == sound && audio == sound)
    #expect(PrintedServiceSamples.takeApart(.text("Hi")).0 == "Hi")
    #expect(PrintedServiceSamples.takeApart(.image(sound, format: .png)).3 == sound)
    #expect(PrintedServiceSamples.takeApart(.structured(["a": 1])).4 == ["a": 1])
    #expect(
      PrintedServiceSamples.name(.rateLimitExceeded("Slowly.")) == "rateLimitExceeded Slowly. 0")
  }
}
