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
  private let clock: ServiceClock
  private let seen = SeenSecrets()
  private let exchanges = Guarded<[ExchangeTape]>([])
  private let opened = Guarded<[SocketTape]>([])

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
    self.clock = clock
  }

  /// Wraps sources of credentials so that each key they return is known to this transport, and is
  /// masked wherever it is sent.
  public func watching(_ sources: [any CredentialSource]) -> [any CredentialSource] {
    func watched(_ source: some CredentialSource) -> any CredentialSource {
      WatchedCredentials(source: source, seen: seen)
    }
    return sources.map { watched($0) }
  }

  /// The recording so far, without secrets.
  public var recording: TrafficRecording {
    let recording = TrafficRecording(
      exchanges.withLock { $0 }.map(\.exchange), sockets: opened.withLock { $0 }.map(\.socket))
    let found =
      recording.exchanges.flatMap { TrafficMask.values(in: $0.request, secrets, answer: $0.answer) }
      + recording.sockets.flatMap { TrafficMask.values(in: $0, secrets) }
    let mask = TrafficMask(secrets, knowing: seen.all + found)
    return TrafficRecording(
      recording.exchanges.map { mask.masked($0) },
      sockets: recording.sockets.map { mask.masked($0) })
  }

  /// Sends a request over the other transport.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    seen.note(request.headers.secrets)
    let tape = ExchangeTape(request, clock: clock)
    exchanges.withLock { $0.append(tape) }
    let started = clock.now()
    do {
      let response = try await transport.send(request)
      tape.noteAnswer(response, after: clock.now() - started)
      let body = TapedBody(response.body, tape)
      return HTTPResponse(
        status: response.status, headers: response.headers,
        body: HTTPBody(source: { try await body.next(isolation: $0) }))
    } catch {
      tape.noteEnd(.init(error), after: clock.now() - started)
      throw error
    }
  }

  /// Opens a connection over the other transport.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    seen.note(request.secrets)
    let tape = SocketTape(request, clock: clock)
    opened.withLock { $0.append(tape) }
    do {
      let socket = try await sockets.open(request)
      tape.noteOpened(socket.subprotocol)
      return TapedSocket(socket, tape)
    } catch {
      tape.noteEnd(.init(error))
      throw error
    }
  }
}

extension RecordingTransport: CustomReflectable {
  /// An empty mirror, because the unmasked recording contains secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
