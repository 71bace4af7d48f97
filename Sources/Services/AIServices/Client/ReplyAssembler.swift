import Foundation

/// Converts the events of a service to events for callers: a vendor's part of reading a streamed
/// response.
///
/// A value: events of the wire in, events for the caller out.
protocol ReplyAssembler: Sendable {
  /// The type of events for callers.
  associatedtype Event: Sendable

  /// Handles the next event of the wire.
  mutating func take(_ event: ServerSentEvent) throws(AIServiceError) -> [Event]

  /// Handles a complete response of a service that does not stream.
  mutating func take(whole answer: Data) throws(AIServiceError) -> [Event]

  /// Handles the end of the stream; returns `nil` if the end marker is missing.
  mutating func finish() -> [Event]?

  /// True once the end marker has arrived and reading can stop.
  var isComplete: Bool { get }
}

/// A response that is converted while it is being read.
actor StreamedReply<Assembler: ReplyAssembler> {
  private enum Phase {
    case asked
    case events(HTTPBody)
    /// The events before the error are delivered first.
    case failed(any Error)
    case over
  }

  private let client: ServiceClient
  private let call: @Sendable () throws -> ServiceCall
  private var assembler: Assembler
  private var parser = ServerSentEventParser()
  private var phase = Phase.asked
  private var ready: [Assembler.Event] = []

  init(
    client: ServiceClient, assembler: Assembler, call: @escaping @Sendable () throws -> ServiceCall
  ) {
    self.client = client
    self.assembler = assembler
    self.call = call
  }

  /// Streams the events; the request is sent when the first one is read.
  static func events(
    of client: ServiceClient, assembler: Assembler,
    call: @escaping @Sendable () throws -> ServiceCall
  ) -> AsyncThrowingStream<Assembler.Event, any Error> {
    let reply = StreamedReply(client: client, assembler: assembler, call: call)
    return AsyncThrowingStream { try await reply.next() }
  }

  func next() async throws -> Assembler.Event? {
    while ready.isEmpty {
      switch phase {
      case .asked: try await begin()
      case .events(let body): try await read(body)
      case .failed(let error):
        phase = .over
        throw error
      case .over: return nil
      }
    }
    return ready.removeFirst()
  }

  private func begin() async throws {
    phase = .over
    let response = try await client.response(to: try call())
    let contentType = response.headers["content-type"]?.lowercased() ?? ""
    if contentType.hasPrefix("text/event-stream") {
      phase = .events(response.body)
    } else {
      let answer = try await response.body.collected()
      guard !contentType.hasPrefix("text/html") else {
        throw AIServiceError.unexpectedResponseFormat(
          "\(client.name) returned a web page. Check the address.")
      }
      ready += try assembler.take(whole: answer)
      ready += assembler.finish() ?? []
    }
  }

  private func read(_ body: HTTPBody) async throws {
    phase = .over
    guard let piece = try await body.next() else {
      guard let rest = assembler.finish() else { throw client.truncation }
      ready += rest
      return
    }
    parser.append(piece)
    do {
      while let event = try nextEvent() {
        ready += try assembler.take(event)
        if assembler.isComplete {
          ready += assembler.finish() ?? []
          return
        }
      }
      phase = .events(body)
    } catch {
      phase = .failed(error)
    }
  }

  private func nextEvent() throws(AIServiceError) -> ServerSentEvent? {
    do {
      return try parser.next()
    } catch {
      throw .unexpectedResponseFormat("\(client.name): \(error.localizedDescription)")
    }
  }
}
