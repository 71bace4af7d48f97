import AIServices
import Testing

struct PrintedAddressTests {
  @Test func `network providers have the printed address and timeout`() {
    #expect(OpenAIProvider().baseURL == "https://api.openai.com/v1")
    #expect(AnthropicProvider().baseURL == "https://api.anthropic.com")
    #expect(ElevenLabsProvider().baseURL == "https://api.elevenlabs.io")
    #expect(
      OpenAIProvider(baseURL: "https://test.example.com").baseURL == "https://test.example.com")
    #expect(OpenAIProvider().timeout == 120)
    #expect(AnthropicProvider().timeout == 120)
    #expect(ElevenLabsProvider().timeout == 120)
  }
}
