import AIServices
import Foundation
import SpeechConcurrency

/// A transport that records the traffic of another one without its secrets: requests, their
/// answers, and the messages of WebSockets.
///
/// ```swift
/// let transport = RecordingTransport(CurlTransport.shared)
/// let keys = AICredentialManager(sources: transport.watching(AICredentialManager.standardSources))
/// let provider = OpenAIProvider(
///   configuration: .init(), credentialManager: keys, environment: .init(transport: transport))
/// _ = try await provider.reply(to: ChatRequest("Hello"))
/// try transport.recording.write(to: URL(filePath: "Fixtures/hello.jsonl"))
/// ```
public final class RecordingTransport: HTTPTransport, WebSocketTransport {
  private let transport: any HTTPTransport
  private let sockets: any WebSocketTransport
  private let secrets: TrafficSecrets
  private let tape: TrafficTape

  /// Creates a transport that records another one.
  ///
  /// - Parameters:
  ///   - sockets: the transport of WebSockets; `nil` for the same one, if it supports them.
  ///   - secrets: the secrets to mask, besides the keys that requests carry.
  ///   - clock: the clock that measures times.
  public init(
    _ transport: any HTTPTransport, sockets: (any WebSocketTransport)? = nil,
    hiding secrets: TrafficSecrets = .standard, clock: ServiceClock = .real
  ) {
    self.transport = transport
    self.sockets = sockets ?? transport.sockets
    self.secrets = secrets
    tape = TrafficTape(clock: clock)
  }

  /// Wraps sources of credentials so that each key they return is known to this transport, and is
  /// masked wherever it is sent.
  public func watching(_ sources: [any CredentialSource]) -> [any CredentialSource] {
    sources.map { source in
      if let store = source as? any CredentialStore { return WatchedStore(store, tape) }
      return WatchedSource(source, tape)
    }
  }

  /// The recording so far, without secrets.
  public var recording: TrafficRecording {
    let (recording, seen) = tape.contents
    let found =
      recording.exchanges.flatMap { TrafficMask.values(in: $0.request, secrets, answer: $0.answer) }
      + recording.sockets.flatMap { TrafficMask.values(in: $0, secrets) }
    let mask = TrafficMask(secrets, knowing: seen + found)
    return TrafficRecording(
      recording.exchanges.map { mask.masked($0) },
      sockets: recording.sockets.map { mask.masked($0) })
  }

  /// Sends a request over the other transport.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let index = tape.begin(request)
    let started = tape.clock.now()
    do {
      let response = try await transport.send(request)
      tape.noteAnswer(response, to: index, after: tape.clock.now() - started)
      let body = TapedBody(response.body, tape, index)
      return HTTPResponse(
        status: response.status, headers: response.headers,
        body: HTTPBody(source: { try await body.next(isolation: $0) }))
    } catch {
      tape.noteEnd(.init(error), of: index, after: tape.clock.now() - started)
      throw error
    }
  }

  /// Opens a connection over the other transport.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    let index = tape.begin(.init(request), carrying: request.secrets)
    do {
      let socket = try await sockets.open(request)
      tape.noteOpened(socket.subprotocol, of: index)
      return TapedSocket(socket, tape, index)
    } catch {
      tape.noteEnd(.init(error), of: index)
      throw error
    }
  }
}

extension RecordingTransport: CustomReflectable {
  /// An empty mirror, because the unmasked recording contains secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
