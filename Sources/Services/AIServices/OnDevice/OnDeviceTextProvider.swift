import Foundation

/// Text from this machine alone: from a model server that runs here, and where none does, from a small
/// responder that knows a few rules and says that it is no model.
///
/// ```swift
/// let provider = AppleIntelligenceProvider()
/// let result = await provider.generate(prompt: "What is 6 times 7?", parameters: [:])
/// ```
public final class OnDeviceTextProvider: AIServiceProvider {
  /// The name it is registered under.
  public let id = "on-device"
  /// The name that is shown.
  public let displayName = "On-device text"
  /// Text.
  public let capabilities: [AICapability] = [.textGeneration]
  /// Never.
  public let requiresAPIKey = false
  /// Text.
  public let responseType = ResponseContent.ContentType.text

  private let server: LocalModelServer
  private let responder = OfflineResponder()
  private let clock: ServiceClock

  /// A provider that looks for a server at the usual addresses of this machine.
  public convenience init() {
    self.init(addresses: nil, environment: .standard)
  }

  /// A provider that looks for a server at those addresses of this machine.
  ///
  /// - Parameter addresses: base addresses like `http://127.0.0.1:11434/v1`; those of other machines are
  ///   passed over. `nil` for the usual ones, none for the responder alone.
  public init(addresses: [String]?, environment: ServiceEnvironment = .standard) {
    let local = (addresses ?? LocalModelServer.usualAddresses).filter {
      URL(string: $0)?.isLoopback == true
    }
    server = LocalModelServer(addresses: local, environment: environment)
    clock = environment.clock
  }

  /// A provider with everything shared.
  public static func shared() -> OnDeviceTextProvider { OnDeviceTextProvider() }

  /// Always: the responder needs nothing.
  public static func isSupported() -> Bool { true }

  /// The model server that answers at present; `nil` while the responder does.
  package var modelServer: OpenAIProvider? {
    get async { await server.provider() }
  }

  /// What the text is made with, and what that means for privacy.
  public func getDeviceInfo() -> [String: String] {
    [
      "platform": "Linux", "privacy": "all data stays on device", "requires_network": "false",
      "requires_api_key": "false", "model": "local server if one runs, else offline responder",
    ]
  }

  /// Answers the prompt.
  ///
  /// Parameters: `temperature` (0 to 2, by default 0.7) and `max_length`, in characters (by default 500).
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
  /// Continues the conversation.
  public func chat(_ request: ChatRequest) -> AsyncThrowingStream<ChatEvent, any Error> {
    let answer = OnDeviceAnswer(request, server: server) { [responder, clock] in
      let question = request.messages.last { $0.role == .user }?.text ?? ""
      return responder.answer(to: question, at: clock.date())
    }
    return AsyncThrowingStream { try await answer.next() }
  }
}

/// An answer from the server if there is one, else from the rules.
private actor OnDeviceAnswer {
  private enum Source {
    case unknown
    case server(AsyncThrowingStream<ChatEvent, any Error>.Iterator)
    case rules([ChatEvent])
  }

  private let request: ChatRequest
  private let server: LocalModelServer
  private let rules: @Sendable () -> String
  private var source = Source.unknown

  init(_ request: ChatRequest, server: LocalModelServer, rules: @escaping @Sendable () -> String) {
    self.request = request
    self.server = server
    self.rules = rules
  }

  func next() async throws -> ChatEvent? {
    if case .unknown = source {
      if let provider = await server.provider() {
        source = .server(provider.chat(request).makeAsyncIterator())
      } else {
        try Task.checkCancellation()
        source = .rules([.text(rules()), .finished(.complete)])
      }
    }
    switch source {
    case .server(var events):
      do {
        let event = try await events.next(isolation: self)
        source = .server(events)
        return event
      } catch AIServiceError.connectionFailed {
        // It ran when it was last looked for, and does not any more.
        await server.forget()
        source = .rules([.finished(.complete)])
        return .text(rules())
      }
    case .rules(let events):
      source = .rules(Array(events.dropFirst()))
      return events.first
    case .unknown: return nil
    }
  }
}

/// Text from this machine, under the name that programs for Apple's systems use.
public typealias AppleIntelligenceProvider = OnDeviceTextProvider
