import Foundation
import SpeechConcurrency

/// The state that the threads of a server share.
final class LoopbackState: Sendable {
  struct Content {
    var queues: [String?: [ScriptedReply]] = [:]
    var responders: [String?: LoopbackServer.Responder] = [:]
    var earlyReplies: [String: ScriptedReply] = [:]
    var greeting: ScriptedReply?
    var requests: [RecordedRequest] = []
    var connections: [Int: LoopbackConnection] = [:]
    var accepted = 0
    var bytesSent = 0
    var bytesReceived = 0
    var isStopped = false
  }

  let changes = ChangeSignal()
  private let listener: LoopbackListener
  private let content = Guarded(Content())

  init(_ listener: LoopbackListener) {
    self.listener = listener
  }

  func read<Value: Sendable>(_ path: KeyPath<Content, Value>) -> Value {
    content.withLock { $0[keyPath: path] }
  }

  func change(_ body: (inout Content) -> Void) {
    content.withLock { body(&$0) }
    changes.notify()
  }

  /// Adds a connection; false if the server is stopped.
  func open(_ socket: Int32) -> Bool {
    let connection: LoopbackConnection? = content.withLock { content in
      guard !content.isStopped else { return nil }
      content.accepted += 1
      let connection = LoopbackConnection(socket, number: content.accepted)
      content.connections[content.accepted] = connection
      return connection
    }
    guard let connection else { return false }
    changes.notify()
    LoopbackThread.start { [self] in
      connection.serve(self)
      change { $0.connections[connection.number] = nil }
    }
    return true
  }

  func earlyReply(to path: String) -> ScriptedReply? {
    content.withLock { $0.earlyReplies[path] }
  }

  /// Records the request and selects the reply.
  func reply(to request: RecordedRequest) -> ScriptedReply {
    enum Choice {
      case ready(ScriptedReply)
      case made(LoopbackServer.Responder)
      case none
    }
    let choice: Choice = content.withLock { content in
      content.requests.append(request)
      for key in [request.path, nil] {
        guard var queue = content.queues[key], !queue.isEmpty else { continue }
        let reply = queue.removeFirst()
        content.queues[key] = queue
        return .ready(reply)
      }
      guard let responder = content.responders[request.path] ?? content.responders[nil] else {
        return .none
      }
      return .made(responder)
    }
    changes.notify()
    return switch choice {
    case .ready(let reply): reply
    case .made(let responder): responder(request)
    case .none:
      .text("The test has no reply for \(request.method) \(request.target).", status: 404)
    }
  }

  func stop() {
    let connections = content.withLock { content in
      content.isStopped = true
      return Array(content.connections.values)
    }
    listener.stop()
    for connection in connections { connection.stop() }
  }
}

/// Threads for servers, which block intentionally.
enum LoopbackThread {
  static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 512 << 10
    thread.start()
  }
}
