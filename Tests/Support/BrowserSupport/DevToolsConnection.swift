import AIServices
import Foundation
import SpeechConcurrency

/// Commands to a browser and its events, over the DevTools protocol.
final class DevToolsConnection: Sendable {
  /// An event, whose parameters are decoded as the type that belongs to its method.
  struct Event: Sendable {
    let method: String
    let message: Data

    func parameters<Parameters: Decodable>(_: Parameters.Type) -> Parameters? {
      (try? JSONDecoder().decode(Body<Parameters>.self, from: message))?.params
    }

    private struct Body<Parameters: Decodable>: Decodable { var params: Parameters }
  }

  /// An answer without anything in it that is of interest.
  struct Nothing: Decodable, Sendable {}

  private struct Envelope: Decodable {
    struct Failure: Decodable { var message: String }
    var id: Int?
    var method: String?
    var sessionId: String?
    var error: Failure?
  }

  private struct Command: Encodable {
    var id: Int
    var method: String
    var params: [String: SendableValue]
    var sessionId: String?
  }

  private struct Answer<Value: Decodable>: Decodable { var result: Value }

  private struct State {
    var nextID = 1
    var pending: [Int: CheckedContinuation<Data, any Error>] = [:]
    var listeners: [String: @Sendable (Event) -> Void] = [:]
    var hasEnded = false
  }

  private let state = Guarded(State())
  private let deadlines = DispatchQueue(label: "browser deadlines")

  /// Calls that with what is told about the page of that session, on one thread.
  func listen(to session: String, _ listener: (@Sendable (Event) -> Void)?) {
    state.withLock { $0.listeners[session] = listener }
  }

  /// Takes in a message of the browser.
  func receive(_ message: Data) {
    guard let envelope = try? JSONDecoder().decode(Envelope.self, from: message) else { return }
    if let id = envelope.id {
      let waiting = state.withLock { $0.pending.removeValue(forKey: id) }
      if let error = envelope.error {
        waiting?.resume(throwing: BrowserError(error.message))
      } else {
        waiting?.resume(returning: message)
      }
    } else if let method = envelope.method, let session = envelope.sessionId {
      let listener = state.withLock { $0.listeners[session] }
      listener?(Event(method: method, message: message))
    }
  }

  /// Fails what still waits.
  func end() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.pending = [:] }
      return Array(state.pending.values)
    }
    for waiting in waiting { waiting.resume(throwing: BrowserError("The browser has ended.")) }
  }

  /// Has a command carried out.
  ///
  /// - Throws: `BrowserError`, also when there is no answer in time.
  func call<Value: Decodable & Sendable>(
    _ method: String, _ parameters: [String: SendableValue] = [:], session: String? = nil,
    through process: BrowserProcess, within patience: Duration = .seconds(120),
    as _: Value.Type = Nothing.self
  ) async throws -> Value {
    let (id, hasEnded) = state.withLock { state in
      defer { state.nextID += 1 }
      return (state.nextID, state.hasEnded)
    }
    guard !hasEnded else { throw BrowserError("The browser has ended.") }
    let command = try JSONEncoder().encode(
      Command(id: id, method: method, params: parameters, sessionId: session))
    let reply = try await withCheckedThrowingContinuation { continuation in
      state.withLock { $0.pending[id] = continuation }
      deadlines.asyncAfter(deadline: .now() + (patience / .seconds(1))) { [self] in
        fail(id, BrowserError("The browser did not answer “\(method)” within \(patience)."))
      }
      do { try process.send(command) } catch { fail(id, error) }
    }
    return try JSONDecoder().decode(Answer<Value>.self, from: reply).result
  }

  private func fail(_ id: Int, _ error: any Error) {
    state.withLock { $0.pending.removeValue(forKey: id) }?.resume(throwing: error)
  }
}
