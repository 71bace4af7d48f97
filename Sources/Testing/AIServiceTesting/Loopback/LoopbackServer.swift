import AIServices
import Foundation
import SpeechConcurrency

/// A real HTTP/1.1 server on this machine whose replies, including faults, are scripted by a test.
///
/// It has a thread for each connection, and records every request as it arrived. A request gets the
/// first queued reply for its path, else the standing reply, else a 404 that explains this.
///
/// ```swift
/// let server = try LoopbackServer()
/// defer { server.stop() }
/// server.enqueue(.json(#"{"ok":true}"#), for: "/v1/models")
/// let response = try await CurlTransport().send(HTTPRequest(.get, server.url("/v1/models")))
/// #expect(server.requests[0].headers["User-Agent"] != nil)
/// ```
public final class LoopbackServer: Sendable {
  /// Creates the reply to a request.
  public typealias Responder = @Sendable (RecordedRequest) -> ScriptedReply

  private let state: LoopbackState

  /// The port of the server.
  public var port: Int { state.port }

  /// Creates a server that listens on a free port.
  ///
  /// - Throws: `POSIXError` if no port is available.
  public init() throws {
    let state = try LoopbackState()
    self.state = state
    LoopbackState.startThread { state.run() }
  }

  deinit {
    stop()
  }

  /// Returns the address of a path on the server.
  public func url(_ path: String = "/") -> URL {
    // A test with an invalid path cannot continue.
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      preconditionFailure("\(path) is no path of an address")
    }
    return url
  }

  /// Queues replies, each of which is sent once, in order, before the standing reply.
  ///
  /// - Parameter path: the path of the requests, without the query; `nil` for any.
  public func enqueue(_ replies: ScriptedReply..., for path: String? = nil) {
    state.change { $0.queues[path, default: []] += replies }
  }

  /// Sets the standing reply.
  ///
  /// - Parameter path: the path of the requests, without the query; `nil` for any path without a
  ///   reply of its own.
  public func reply(to path: String? = nil, _ responder: @escaping Responder) {
    state.change { $0.responders[path] = responder }
  }

  /// Replies to a path as soon as the head of a request has arrived, without reading its body.
  public func replyEarly(to path: String, _ reply: ScriptedReply) {
    state.change { $0.earlyReplies[path] = reply }
  }

  /// Performs a reply on every connection as soon as it is open, without waiting for a request.
  public func greet(with reply: ScriptedReply) {
    state.change { $0.greeting = reply }
  }

  /// All requests so far, in the order of their completion.
  public var requests: [RecordedRequest] { state.read(\.requests) }

  /// The number of open connections.
  public var openConnections: Int { state.read(\.connections.count) }

  /// The number of connections accepted so far.
  public var acceptedConnections: Int { state.read(\.accepted) }

  /// The number of bytes that the system has accepted for sending.
  public var bytesSent: Int { state.read(\.bytesSent) }

  /// The number of bytes received.
  public var bytesReceived: Int { state.read(\.bytesReceived) }

  /// Waits until the condition holds. It is evaluated after every event.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func wait(until condition: @Sendable (LoopbackServer) -> Bool) async throws {
    try await state.changes.wait(until: { condition(self) })
  }

  /// Closes all connections and the port.
  public func stop() {
    state.stop()
  }
}
