import Foundation

/// A provider of text from this machine only: from a local model server or, if there is none, from
/// a small rule-based responder that states that it is not a model.
///
/// ```swift
/// let provider = AppleIntelligenceProvider()
/// let result = await provider.generate(prompt: "What is 6 times 7?", parameters: [:])
/// ```
public final class OnDeviceTextProvider: AIServiceProvider {
  /// The identifier of the provider.
  public let id = "on-device"
  /// The name shown to the user.
  public let displayName = "On-device text"
  /// The capabilities: text generation only.
  public let capabilities: [AICapability] = [.textGeneration]
  /// Always false: no key is needed.
  public let requiresAPIKey = false
  /// The type of responses: text.
  public let responseType = ResponseContent.ContentType.text

  private let server: LocalModelServer
  private let responder = OfflineResponder()
  private let clock: ServiceClock

  /// Creates a provider that searches the default addresses of this machine.
  public convenience init() {
    self.init(addresses: nil, environment: .standard)
  }

  /// Creates a provider that searches the given addresses of this machine.
  ///
  /// - Parameter addresses: base addresses such as `http://127.0.0.1:11434/v1`; those of other
  ///   machines are ignored. `nil` for the default ones; empty for the rule-based responder only.
  public init(addresses: [String]?, environment: ServiceEnvironment = .standard) {
    let local = (addresses ?? LocalModelServer.defaultAddresses).filter {
      URL(string: $0)?.isLoopback == true
    }
    server = LocalModelServer(addresses: local, environment: environment)
    clock = environment.clock
  }

  /// Creates a provider with the shared transport.
  public static func shared() -> OnDeviceTextProvider { OnDeviceTextProvider() }

  /// Always true: the responder has no requirements.
  public static func isSupported() -> Bool { true }

  /// The model server that currently answers; `nil` while the responder does.
  package var modelServer: OpenAIProvider? {
    get async { await server.provider() }
  }

  /// The backend of the texts, and its meaning for privacy.
  public func getDeviceInfo() -> [String: String] {
    [
      "platform": "Linux", "privacy": "all data stays on device", "requires_network": "false",
      "requires_api_key": "false", "model": "local server if one runs, else offline responder",
    ]
  }

  /// Answers a prompt.
  ///
  /// Parameters: `temperature` (0 to 2, default 0.7) and `max_length` in characters (default 500).
  public func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError> {
    await Result {
      var given = ServiceParameters(parameters)
      var request = ChatRequest(prompt)
      request.temperature = try given.number("temperature", in: 0...2) ?? 0.7
      let longest = try given.integer("max_length", in: 1...1_000_000) ?? 500
      try given.finish()
      return .text(String(try await reply(to: request).text.prefix(longest)))
    }
  }
}

extension OnDeviceTextProvider: ChatService {
  /// Continues the conversation and streams the answer.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let answer = OnDeviceAnswer(request, server: server) { [responder, clock] in
      let question = request.messages.last { $0.role == .user }?.text ?? ""
      return responder.answer(to: question, at: clock.date())
    }
    return AsyncThrowingStream { try await answer.next() }
  }
}

/// An answer from the server, or from the rules if there is none.
private actor OnDeviceAnswer {
  private let request: ChatRequest
  private let server: LocalModelServer
  private let rules: @Sendable () -> String
  private var isAsked = false
  private var events: AsyncThrowingStream<ChatEvent, any Error>.Iterator?
  private var ready: [ChatEvent] = []

  init(_ request: ChatRequest, server: LocalModelServer, rules: @escaping @Sendable () -> String) {
    self.request = request
    self.server = server
    self.rules = rules
  }

  func next() async throws -> ChatEvent? {
    if !isAsked {
      isAsked = true
      events = await server.provider()?.chat(request).makeAsyncIterator()
      try Task.checkCancellation()
      if events == nil { applyRules() }
    }
    if var events = events.take() {
      do {
        let event = try await events.next(isolation: self)
        self.events = events
        return event
      } catch AIServiceError.connectionFailed {
        // The server ran at the last search, but no longer does.
        await server.forget()
        applyRules()
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  private func applyRules() {
    ready = [.text(rules()), .finished(.complete)]
  }
}

/// The provider of text from this machine, under the name that the specification uses.
public typealias AppleIntelligenceProvider = OnDeviceTextProvider
