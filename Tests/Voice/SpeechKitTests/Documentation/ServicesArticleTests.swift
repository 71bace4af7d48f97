#if Cloud
import AIServiceTesting
import Foundation
import LLMSocket
import SpeechCloud
import SpeechKit
import Testing

/// The code in the article on services and in the README.
///
/// As printed it calls the vendors, so it is only compiled here; `AIServicesTests` and
/// `SpeechCloudTests` run the same against servers on this machine.
@MainActor
struct ServicesArticleTests {
  func storing(typedKey: String) async throws {
    try await AICredentialManager.shared.store(
      credential: AICredential(providerID: "openai", type: .apiKey, name: "My key"),
      value: SecureString(typedKey))
  }

  func chatting() async throws {
    let provider = OpenAIProvider()
    for try await event in provider.chat(ChatRequest("Tell me a joke.")) {
      switch event {
      case .text(let piece): print(piece, terminator: "")
      case .toolCall(let call): print("[\(call.name) \(call.arguments)]")
      case .usage(let usage): print("[\(usage.outputTokens) tokens]")
      case .finished(let reason): print("[\(reason)]")
      }
    }
  }

  func chattingInTheREADME() async throws {
    let provider = OpenAIProvider()
    for try await event in provider.chat(ChatRequest("Tell me a joke.")) {
      if case .text(let piece) = event { print(piece, terminator: "") }
    }
  }

  func generating(with provider: any AIServiceProvider) async {
    switch await provider.generate(prompt: "Hello", parameters: ["temperature": 0.2]) {
    case .success(let content): print(content.text ?? "")
    case .failure(let error): print(error.localizedDescription)
    }
  }

  func askingOverASocket() async throws {
    let service = LLMService()
    service.generateText("Hello") { result in
      switch result {
      case .success(let text): print(text)
      case .failure(let error): print(error.localizedDescription)
      }
    }
    let text = try await service.generateText("Hello", model: "gpt-4")
    print(text)
  }

  func speaking() async throws {
    let mouth = SpeechSynthesisEngine(providerType: .elevenLabs)
    try await mouth.speak(text: "Good morning.")
  }

  func caching() -> ElevenLabsSynthesisProvider {
    let voice = ElevenLabsSynthesisProvider(
      configuration: CloudVoiceConfiguration(cache: SynthesisCache()))
    return voice
  }

  func hearing(with provider: OpenAIProvider) -> SpeechRecognitionEngine {
    let ears = SpeechRecognitionEngine(
      provider: OpenAIRecognitionProvider(configuration: .init(service: provider)))
    return ears
  }

  func stayingOffline() {
    OfflineMode.shared.isOn = true
  }

  @Test func `on-device text needs neither network nor key`() async {
    let provider = OnDeviceTextProvider(addresses: [])
    let result = await provider.generate(prompt: "What is 6 times 7?", parameters: [:])
    #expect((try? result.get())?.text == "That makes 42.")
  }
}

/// The suite of laws, as the article shows it.
struct ConformanceArticleTests {
  struct MyProvider: AIServiceProvider {
    let id = "mine"
    let displayName = "Mine"
    let capabilities: [AICapability] = [.textGeneration]
    let requiresAPIKey = true
    let responseType = ResponseContent.ContentType.text
    private let client: ServiceClient

    init(_ context: ServiceTestContext) {
      client = ServiceClient(
        name: displayName, endpoint: ServiceEndpoint(baseURL: context.baseURL),
        key: .stored(for: id, in: context.credentials), environment: context.environment)
    }

    func generate(
      prompt: String, parameters: [String: Any]
    ) async -> Result<ResponseContent, AIServiceError> {
      struct Body: Codable { var text: String }
      do {
        try ServiceParameters(parameters).finish()
        let answer: Body = try await client.json(for: .post("echo", json: Body(text: prompt)))
        return .success(.text(answer.text))
      } catch let error as AIServiceError {
        return .failure(error)
      } catch {
        return .failure(.networkError(error.localizedDescription))
      }
    }
  }

  let exchange = ServiceExchange {
    .json($0.text)
  } isExpected: {
    $0.text?.hasPrefix("Hello") == true
  }

  @Test(arguments: ServiceLaw.allCases)
  func `my provider keeps the law`(_ law: ServiceLaw) async throws {
    let conformance = ServiceConformance(exchange: exchange) { MyProvider($0) }
    let objection = try await conformance.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }
}
#endif
