import AIServices
import Foundation
import SpeechConcurrency

/// A way to servers that records what goes over another one, without its secrets.
///
/// ```swift
/// let transport = RecordingTransport(CurlTransport.shared)
/// let keys = AICredentialManager(sources: transport.watching(AICredentialManager.standardSources))
/// let provider = OpenAIProvider(
///   configuration: .init(), credentialManager: keys, environment: .init(transport: transport))
/// _ = try await provider.reply(to: ChatRequest("Hello"))
/// try transport.recording.write(to: URL(filePath: "Fixtures/hello.jsonl"))
/// ```
public final class RecordingTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let secrets: TrafficSecrets
  private let tape: TrafficTape

  /// Records what goes over that transport.
  ///
  /// - Parameters:
  ///   - secrets: what is taken out, besides the keys that requests carry.
  ///   - clock: what the waiting is measured with.
  public init(
    _ transport: any HTTPTransport, hiding secrets: TrafficSecrets = .standard,
    clock: ServiceClock = .real
  ) {
    self.transport = transport
    self.secrets = secrets
    tape = TrafficTape(clock: clock)
  }

  /// The same places for keys, which tell this transport of each that they give out, so that it is found also
  /// where it is sent in an unexpected way.
  public func watching(_ sources: [any CredentialSource]) -> [any CredentialSource] {
    sources.map { source in
      if let store = source as? any CredentialStore { return WatchedStore(store, tape) }
      return WatchedSource(source, tape)
    }
  }

  /// What has been recorded so far, without secrets.
  public var recording: TrafficRecording {
    let (exchanges, seen) = tape.contents
    let found = exchanges.flatMap { TrafficMask.values(in: $0, secrets) }
    let mask = TrafficMask(secrets, knowing: seen + found)
    return TrafficRecording(exchanges.map(mask.masked))
  }

  /// Sends the request over the other transport.
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
}

extension RecordingTransport: CustomReflectable {
  /// Shows nothing, because what is recorded here still has its secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
