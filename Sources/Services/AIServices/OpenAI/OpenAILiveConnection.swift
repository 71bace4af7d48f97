import Foundation

/// A connection of a Realtime session that transcribes.
struct OpenAILiveConnection {
  /// The end of a connection after which another one can continue.
  struct Loss: Error {
    var failure: HTTPFailure
  }

  let socket: any WebSocketConnection
  private let client: ServiceClient
  /// The item of the last utterance.
  var lastItem: String?

  /// The maximum size of a message of the server in bytes.
  private static let messageLimit = 1 << 20

  /// Opens a connection and configures its session.
  ///
  /// - Throws: `AIServiceError`, `Loss`; `CancellationError` when the task was cancelled.
  init(
    _ client: ServiceClient, call: ServiceCall, session: OpenAILiveEvent.Update
  ) async throws {
    self.client = client
    let message = String(decoding: try JSONEncoder().encode(session), as: UTF8.self)
    socket = try await client.socket(for: call, messageLimit: Self.messageLimit)
    do {
      try await socket.send(.text(message))
      let limit = client.endpoint.timeouts.connect * 2
      try await Self.within(limit, on: client.clock) { [self] in
        while true {
          let (event, _) = try Self.event(in: try await received(), of: client)
          // The second name is that of servers with the retired form of the interface.
          if ["session.updated", "transcription_session.updated"].contains(event.type) { return }
        }
      }
    } catch {
      await socket.drop()
      let error = loss(of: error)
      throw error is Loss ? error : client.failure(of: error)
    }
  }

  /// The next message.
  ///
  /// - Throws: `Loss` if the connection was closed; `HTTPFailure` if the server will not serve
  ///   another one better; `CancellationError`.
  func received() async throws -> WebSocketMessage {
    do {
      if let message = try await socket.receive() { return message }
    } catch {
      throw loss(of: error)
    }
    throw loss(of: HTTPFailure.interrupted("the server closed it", beforeResponse: false))
  }

  /// The error as a loss of the connection, if it is one.
  private func loss(of error: any Error) -> any Error {
    guard let known = error as? HTTPFailure else { return error }
    switch known {
    // A ping without an answer: the machine slept, or the network changed.
    case .interrupted, .timedOut(.idle): break
    default: return error
    }
    guard let close = socket.close else { return Loss(failure: known) }
    let reason = close.reason.isEmpty ? "" : ": \(client.shown(close.reason))"
    let failure = HTTPFailure.interrupted(
      "the server closed it with code \(close.code)\(reason)", beforeResponse: false)
    return [1002, 1003, 1007, 1008, 1009, 1010].contains(close.code)
      ? failure : Loss(failure: failure)
  }

  /// Decodes an event that is not an error.
  ///
  /// - Throws: `AIServiceError` for an error and for a message that is not an event; `Loss` if the
  ///   session has expired.
  static func event(
    in message: WebSocketMessage, of client: ServiceClient
  ) throws -> (OpenAILiveEvent, Data) {
    let data =
      switch message {
      case .text(let text): Data(text.utf8)
      case .binary(let data): data
      }
    guard let event = try? JSONDecoder().decode(OpenAILiveEvent.self, from: data) else {
      return (try client.decode(OpenAILiveEvent.self, from: data), data)
    }
    guard event.type == "error" else { return (event, data) }
    if event.error?.isExpiry == true {
      throw Loss(failure: .interrupted("the session expired", beforeResponse: false))
    }
    throw client.reportedFailure(in: data, status: event.error?.status ?? 200)
      ?? AIServiceError.providerError("\(client.name) reported an error. Try again.")
  }

  private static func within(
    _ limit: Duration, on clock: ServiceClock,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        try await clock.sleep(limit)
        throw HTTPFailure.timedOut(.firstByte)
      }
      try await group.next()
    }
  }
}
