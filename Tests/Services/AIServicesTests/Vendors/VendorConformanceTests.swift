import AIServiceTesting
import Testing

/// Tests of all providers against the laws of providers.
struct VendorConformanceTests {
  @Test(arguments: ServiceLaw.allCases)
  func `OpenAI obeys every law`(_ law: ServiceLaw) async throws {
    let conformance = ServiceConformance(exchange: .openAI) { surroundings in
      OpenAIProvider(
        configuration: OpenAIConfiguration(baseURL: surroundings.baseURL + "/v1"),
        credentialManager: surroundings.credentials, environment: surroundings.environment)
    }
    let objection = try await conformance.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test(arguments: ServiceLaw.allCases)
  func `a compatible server obeys every law`(_ law: ServiceLaw) async throws {
    let conformance = ServiceConformance(exchange: .openAI) { surroundings in
      OpenAIProvider(
        configuration: .llamaCpp(baseURL: surroundings.baseURL + "/v1"),
        credentialManager: surroundings.credentials, environment: surroundings.environment)
    }
    let objection = try await conformance.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test(arguments: ServiceLaw.allCases)
  func `Anthropic obeys every law`(_ law: ServiceLaw) async throws {
    let conformance = ServiceConformance(exchange: .anthropic) { surroundings in
      AnthropicProvider(
        configuration: AnthropicConfiguration(baseURL: surroundings.baseURL),
        credentialManager: surroundings.credentials, environment: surroundings.environment)
    }
    let objection = try await conformance.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }

  @Test(arguments: ServiceLaw.allCases)
  func `ElevenLabs obeys every law`(_ law: ServiceLaw) async throws {
    let conformance = ServiceConformance(exchange: .elevenLabs) { surroundings in
      ElevenLabsProvider(
        configuration: ElevenLabsConfiguration(baseURL: surroundings.baseURL),
        credentialManager: surroundings.credentials, environment: surroundings.environment)
    }
    let objection = try await conformance.objection(to: law)
    #expect(objection == nil, "\(objection ?? "")")
  }
}
