import AIServiceTesting
import Foundation
import SpeechConcurrency
import Testing

/// Records all trials of the laws of providers, and repeats them without a server.
struct TrafficConformanceTests {
  @Test(arguments: Vendor.allCases, ServiceLaw.allCases)
  func `a replay comes to the same outcomes`(_ vendor: Vendor, _ law: ServiceLaw) async throws {
    let log = CallLog()
    let conformance = ServiceConformance(exchange: vendor.exchange) { context in
      let transport = RecordingTransport(context.environment.transport)
      var environment = context.environment
      environment.transport = transport
      let provider = vendor.conformant(context, environment)
      return log.logging(provider, transport, context)
    }
    #expect(try await conformance.objection(to: law) == nil)
    for session in log.sessions {
      let recording = session.transport.recording
      let text = recording.text
      #expect(!text.contains("canary"), "\(law)")
      #expect(!text.contains("MDEyMzQ1Njc4OS1jYW5hcn"), "\(law)")
      let replay = ReplayTransport(try TrafficRecording(text: text))
      var environment = session.context.environment
      environment.transport = replay
      let provider = vendor.conformant(session.context, environment)
      for call in session.calls {
        let task = Task {
          await provider.generate(prompt: call.prompt, parameters: call.parameters)
        }
        if law == .obeysCancellation {
          try await replay.wait { $0.unasked.isEmpty }
          task.cancel()
        }
        #expect(Outcome(await task.value) == call.outcome, "\(law)")
      }
      #expect(replay.unasked.isEmpty, "\(law)")
      #expect(replay.mismatches.isEmpty, "\(law)")
    }
  }
}

extension Vendor {
  fileprivate func conformant(
    _ context: ServiceTestContext, _ environment: ServiceEnvironment
  ) -> any AIServiceProvider {
    switch self {
    case .openAI:
      OpenAIProvider(
        configuration: OpenAIConfiguration(baseURL: context.baseURL + "/v1"),
        credentialManager: context.credentials, environment: environment)
    case .anthropic:
      AnthropicProvider(
        configuration: AnthropicConfiguration(baseURL: context.baseURL),
        credentialManager: context.credentials, environment: environment)
    case .elevenLabs:
      ElevenLabsProvider(
        configuration: ElevenLabsConfiguration(baseURL: context.baseURL),
        credentialManager: context.credentials, environment: environment)
    }
  }
}

/// The result of a call, for comparisons.
private enum Outcome: Hashable {
  case content(ResponseContent.ContentType, Data?)
  case failure(AIServiceError)

  init(_ result: Result<ResponseContent, AIServiceError>) {
    switch result {
    case .success(let content): self = .content(content.contentType, content.dataContent)
    case .failure(let error): self = .failure(error)
    }
  }
}

/// The calls of providers and their results.
private final class CallLog: Sendable {
  struct Call: Sendable {
    var prompt: String
    var parameters: [String: SendableValue]
    var outcome: Outcome
  }

  struct Session: Sendable {
    var transport: RecordingTransport
    var context: ServiceTestContext
    var calls: [Call] = []
  }

  private let state = Guarded<[Session]>([])

  var sessions: [Session] { state.withLock { $0 } }

  func logging(
    _ provider: any AIServiceProvider, _ transport: RecordingTransport,
    _ context: ServiceTestContext
  ) -> any AIServiceProvider {
    let index = state.withLock { sessions in
      sessions.append(Session(transport: transport, context: context))
      return sessions.count - 1
    }
    return LoggedProvider(provider: provider, log: self, session: index)
  }

  func note(_ call: Call, in session: Int) {
    state.withLock { $0[session].calls.append(call) }
  }
}

private struct LoggedProvider: AIServiceProvider {
  let provider: any AIServiceProvider
  let log: CallLog
  let session: Int

  var id: String { provider.id }
  var displayName: String { provider.displayName }
  var capabilities: [AICapability] { provider.capabilities }
  var requiresAPIKey: Bool { provider.requiresAPIKey }
  var responseType: ResponseContent.ContentType { provider.responseType }

  func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    let values = parameters.compactMapValues { value in
      value as? SendableValue ?? (value as? Int).map { .int($0) }
    }
    let result = await provider.generate(prompt: prompt, parameters: values)
    log.note(.init(prompt: prompt, parameters: values, outcome: Outcome(result)), in: session)
    return result
  }
}
