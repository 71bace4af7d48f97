import AIServices
import Foundation
import SpeechConcurrency

/// A client of a text generation service over a socket, with the events `llm_generate` and
/// `llm_response`.
///
/// The connection is opened on first use and kept open; `connect()` opens it ahead of time. Each
/// request has its own identifier and receives its own answer, even if the same prompt is sent
/// twice at once. Every request ends: with an answer, with an error, or after
/// `LLMConfiguration.requestTimeout`. A completion is called exactly once, on a thread of the
/// system.
///
/// ```swift
/// let service = LLMService()
/// service.generateText("Hello") { result in … }
/// let text = try await service.generateText("Hello", model: "gpt-4")
/// ```
///
/// A service that neither returns identifiers nor acknowledges requests is sent one request at a
/// time. Answers to other clients on the same connection or channel cannot be distinguished then.
public final class LLMService: Sendable {
  /// The model that the service uses by default.
  public static let defaultModel = "gemini-2.5-flash-lite"

  /// The address and the options of the service.
  public let configuration: LLMConfiguration

  private let core: LLMCore

  /// Creates a client for `ws://localhost:4000/socket` that detects the dialect.
  public convenience init() {
    var parts = URLComponents()
    parts.scheme = "ws"
    parts.host = "localhost"
    parts.port = 4_000
    parts.path = "/socket"
    self.init(LLMConfiguration(url: parts.url ?? URL(fileURLWithPath: "/")))
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - http: the transport for long-polling, if configured.
  ///   - sockets: the transport for WebSockets; `nil` to use `http` if it supports them.
  ///   - clock: the clock for timeouts and delays.
  public init(
    _ configuration: LLMConfiguration, http: any HTTPTransport = CurlTransport.shared,
    sockets: (any WebSocketTransport)? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    let sockets = sockets ?? http.sockets
    core = LLMCore(configuration, clock: clock) {
      var dialect = configuration.dialect
      if dialect == .automatic {
        dialect = try await configuration.detectDialect(sockets: sockets, clock: clock)
      }
      return dialect == .phoenix
        ? PhoenixWire(configuration, sockets: sockets, clock: clock)
        : SocketIOWire(configuration, http: http, sockets: sockets, clock: clock)
    }
  }

  // MARK: The connection

  /// The state of the connection.
  public var state: SocketState { core.state }

  /// All later changes of the state.
  public var states: AsyncStream<SocketState> { core.states.stream() }

  /// Starts to keep the connection open, without waiting for it.
  public func connect() async { await outside { await $0.begin() } }

  /// Opens the connection, and returns when it is established.
  ///
  /// - Throws: the original error if it cannot be opened.
  package func open() async throws {
    try await ExternalWork.run { [core] in try await core.open() }
  }

  /// Closes the connection; unanswered requests fail. The next request reopens it.
  public func disconnect() async { await outside { await $0.stop() } }

  /// The connection's tasks wait for its socket, so they must not be tasks of a virtual world.
  private func outside(_ body: @escaping @Sendable (LLMCore) async -> Void) async {
    // Never fails, because the body does not.
    try? await ExternalWork.run { [core] in await body(core) }
  }

  // MARK: With a completion

  /// Generates a text with the default model of the service.
  public func generateText(
    _ prompt: String, completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    generate(completion) { try await self.generate(prompt).content }
  }

  /// Generates a text with the given model.
  public func generateText(
    _ prompt: String, model: String,
    completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    generate(completion) { try await self.generate(prompt, model: model).content }
  }

  /// Generates a text with options by their names on the wire, such as `temperature` and
  /// `max_tokens`.
  public func generateText(
    _ prompt: String, options: [String: Any],
    completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    // Converted here, because a dictionary of `Any` cannot be sent to another task.
    let options = Result { try LLMOptions(options) }
    generate(completion) { try await self.generate(prompt, options: options.get()).content }
  }

  private func generate(
    _ completion: @escaping @Sendable (Result<String, any Error>) -> Void,
    _ body: @escaping @Sendable () async throws -> String
  ) {
    Task {
      do {
        completion(.success(try await body()))
      } catch {
        completion(.failure(error))
      }
    }
  }

  // MARK: Async

  /// Generates a text.
  ///
  /// - Throws: `LLMError`; `CancellationError` when the task was cancelled.
  public func generateText(
    _ prompt: String, model: String? = nil, options: LLMOptions = LLMOptions()
  ) async throws -> String {
    try await generate(prompt, model: model, options: options).content
  }

  /// Generates a text and returns it with the service's information about it.
  ///
  /// - Throws: `LLMError`; `CancellationError` when the task was cancelled.
  public func generate(
    _ prompt: String, model: String? = nil, options: LLMOptions = LLMOptions()
  ) async throws -> LLMReply {
    var members: [String: SendableValue] = ["prompt": .string(prompt)]
    if let model { members["model"] = .string(model) }
    if !options.members.isEmpty { members["options"] = .dictionary(options.members) }
    let request = members
    return try LLMReply(await ExternalWork.run { [core] in try await core.ask(request) })
  }
}
