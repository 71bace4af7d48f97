import AIServices
import Foundation

/// Text from a service that is reached over a socket: the events `llm_generate` and `llm_response`.
///
/// The connection is opened when it is first needed and kept open; `connect()` opens it ahead of time. Each
/// request has an id of its own and each answer goes to the request it belongs to, also when the same prompt
/// is sent twice at once. Every request ends: with an answer, with a failure, or after
/// `LLMConfiguration.requestTimeout`. A completion is called exactly once, on a thread of the system.
///
/// ```swift
/// let service = LLMService()
/// service.generateText("Hello") { result in … }
/// let text = try await service.generateText("Hello", model: "gpt-4")
/// ```
///
/// A service that neither brings ids back nor acknowledges is sent one request at a time. If others get
/// their answers over the same connection or channel, that cannot be told apart there.
public final class LLMService: Sendable {
  /// The model that the service chooses when none is named.
  public static let defaultModel = "gemini-2.5-flash-lite"

  /// Where and how the service is reached.
  public let configuration: LLMConfiguration

  private let core: LLMCore

  /// The service at `ws://localhost:4000/socket`, in whichever dialect it speaks.
  public convenience init() {
    var parts = URLComponents()
    parts.scheme = "ws"
    parts.host = "localhost"
    parts.port = 4_000
    parts.path = "/socket"
    self.init(LLMConfiguration(url: parts.url ?? URL(fileURLWithPath: "/")))
  }

  /// A service.
  ///
  /// - Parameters:
  ///   - http: what long-polling goes through, if the configuration wants any.
  ///   - sockets: what WebSockets go through; `nil` for the same, where it knows them.
  ///   - clock: what time-outs and delays are measured with.
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
        dialect = try await .detect(configuration.phoenix, sockets: sockets, clock: clock)
      }
      if dialect == .socketIO {
        return SocketIOWire(
          SocketIOClient(configuration.socketIO, http: http, sockets: sockets, clock: clock))
      }
      // Topics that begin like that are open to anybody; no two clients may share one.
      let prefix = "task:swift_\(UUID().uuidString.lowercased())_"
      return PhoenixWire(
        PhoenixClient(configuration.phoenix, sockets: sockets, clock: clock),
        laneCount: configuration.channelCount, prefix: prefix)
    }
  }

  // MARK: The connection

  /// How the connection is doing.
  public var state: SocketState { core.state }

  /// All changes of that from now on.
  public var states: AsyncStream<SocketState> { core.states.stream() }

  /// Begins to keep the connection open, without waiting for it.
  public func connect() async { await core.begin() }

  /// Opens the connection, and returns when it stands.
  ///
  /// - Throws: why it cannot be opened, as who tried says it.
  package func open() async throws { try await core.open() }

  /// Closes the connection; what is not answered yet fails. The next request opens it again.
  public func disconnect() async { await core.stop() }

  // MARK: With a completion

  /// Generates a text with the model that the service chooses.
  public func generateText(
    _ prompt: String, completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    generate(completion) { try await self.generate(prompt).content }
  }

  /// Generates a text with that model.
  public func generateText(
    _ prompt: String, model: String,
    completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    generate(completion) { try await self.generate(prompt, model: model).content }
  }

  /// Generates a text with options by their names on the wire, like `temperature` and `max_tokens`.
  public func generateText(
    _ prompt: String, options: [String: Any],
    completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    // Read here, because a dictionary of anything cannot leave for another thread.
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

  /// Generates a text, and returns it with what the service tells about it.
  ///
  /// - Throws: `LLMError`; `CancellationError` when the task was cancelled.
  public func generate(
    _ prompt: String, model: String? = nil, options: LLMOptions = LLMOptions()
  ) async throws -> LLMReply {
    var members: [String: SendableValue] = ["prompt": .string(prompt)]
    if let model { members["model"] = .string(model) }
    if !options.members.isEmpty { members["options"] = .dictionary(options.members) }
    return try LLMReply(await core.ask(members))
  }
}
