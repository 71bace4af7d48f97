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
  private let client: ServiceClient
  private let call: @Sendable () throws -> ServiceCall
  private var assembler: Assembler
  private var isAsked = false
  private var events: ServerSentEvents.Iterator?
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
    if !isAsked {
      isAsked = true
      try await begin()
    }
    // Taken, so that reading ends after an error.
    while ready.isEmpty, var events = events.take() {
      if let event = try await next(of: &events) {
        ready += try assembler.take(event)
        if assembler.isComplete { ready += assembler.finish() ?? [] } else { self.events = events }
      } else {
        guard let rest = assembler.finish() else { throw client.truncation }
        ready += rest
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  private func begin() async throws {
    let response = try await client.response(to: try call())
    let contentType = response.headers["content-type"]?.lowercased() ?? ""
    if contentType.hasPrefix("text/event-stream") {
      events = ServerSentEvents(response.body).makeAsyncIterator()
      return
    }
    let answer = try await response.body.collected()
    guard !contentType.hasPrefix("text/html") else {
      throw AIServiceError.unexpectedResponseFormat(
        "\(client.name) returned a web page. Check the address.")
    }
    ready += try assembler.take(whole: answer)
    ready += assembler.finish() ?? []
  }

  private func next(
    of events: inout ServerSentEvents.Iterator
  ) async throws -> ServerSentEvent? {
    do {
      return try await events.next(isolation: self)
    } catch let failure as HTTPFailure {
      throw client.unreadable(failure)
    }
  }
}
