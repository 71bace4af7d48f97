import AIServices
import Foundation
import SpeechConcurrency

/// A real HTTP/1.1 server on this machine that does what a test tells it, also what no good server would.
///
/// It runs on threads of its own, one for each connection, and records every request as it arrived. A
/// request gets the first queued reply for its path, else the standing one, else a 404 that says so.
///
/// ```swift
/// let server = try LoopbackServer()
/// defer { server.stop() }
/// server.enqueue(.json(#"{"ok":true}"#), for: "/v1/models")
/// let response = try await CurlTransport().send(HTTPRequest(.get, server.url("/v1/models")))
/// #expect(server.requests[0].headers["User-Agent"] != nil)
/// ```
public final class LoopbackServer: Sendable {
  /// Makes a reply to a request.
  public typealias Responder = @Sendable (RecordedRequest) -> ScriptedReply

  private let state: LoopbackState

  /// The port that it listens on.
  public let port: Int

  /// A server that listens.
  ///
  /// - Throws: `POSIXError` when the machine gives no port.
  public init() throws {
    let listener = try LoopbackListener()
    port = listener.port
    let state = LoopbackState(listener)
    self.state = state
    LoopbackThread.start { listener.run(state) }
  }

  deinit {
    stop()
  }

  /// The address of a path on it.
  public func url(_ path: String = "/") -> URL {
    // Because a test whose path is no path cannot go on, and is told here.
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      preconditionFailure("\(path) is no path of an address")
    }
    return url
  }

  /// Replies once with each of these, in order, before the standing reply.
  ///
  /// - Parameter path: which path they are for, without the query; `nil` for any.
  public func enqueue(_ replies: ScriptedReply..., for path: String? = nil) {
    state.change { $0.queues[path, default: []] += replies }
  }

  /// Replies like this from now on.
  ///
  /// - Parameter path: which path it is for, without the query; `nil` for any without one of its own.
  public func reply(to path: String? = nil, _ responder: @escaping Responder) {
    state.change { $0.responders[path] = responder }
  }

  /// Replies to the path as soon as the head of a request is there, without reading its body.
  public func replyEarly(to path: String, _ reply: ScriptedReply) {
    state.change { $0.earlyReplies[path] = reply }
  }

  /// Does this with every connection as soon as it is there, without waiting for a request.
  public func greet(with reply: ScriptedReply) {
    state.change { $0.greeting = reply }
  }

  /// All requests so far, in the order in which they were complete.
  public var requests: [RecordedRequest] { state.read(\.requests) }

  /// How many connections are open.
  public var openConnections: Int { state.read(\.connections.count) }

  /// How many connections there have been.
  public var acceptedConnections: Int { state.read(\.accepted) }

  /// How many bytes the machine has taken from the server to send.
  public var bytesSent: Int { state.read(\.bytesSent) }

  /// How many bytes have come in.
  public var bytesReceived: Int { state.read(\.bytesReceived) }

  /// Waits until the condition holds; it is looked at whenever something has happened.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func wait(until condition: @Sendable (LoopbackServer) -> Bool) async throws {
    while true {
      let version = state.changes.version
      if condition(self) { return }
      try await state.changes.wait(after: version)
    }
  }

  /// Closes all connections and the port.
  public func stop() {
    state.stop()
  }
}
