import AIServices
import Foundation
import LLMSocket
import SpeechConcurrency

/// Notes sessions of Engine.IO that begin with long-polling, packet by packet: how packets are put together in requests,
/// and when a session changes over to a WebSocket, is another matter each time.
final class PollingRecorder: Sendable {
  private let tape: TrafficTape
  private let sessions = Guarded<[String: Int]>([:])

  init(_ tape: TrafficTape) {
    self.tape = tape
  }

  /// The number of the socket that the session is noted as.
  func session(of sid: String?) -> Int? {
    sid.flatMap { sid in sessions.withLock { $0[sid] } }
  }

  func send(
    _ request: HTTPRequest, _ address: EngineIOAddress, over transport: any HTTPTransport
  ) async throws -> HTTPResponse {
    let index =
      session(of: address.sid)
      ?? tape.begin(
        .init("GET", request.url.absoluteString, headers: request.headers.recorded),
        carrying: request.headers.secrets)
    let packets = request.body.flatMap { try? EngineIOPayload.decode($0) } ?? []
    let numbers = packets.map { packet in
      tape.note(
        packet == .close ? .closing(WebSocketClose()) : .sent(packet.webSocketMessage), of: index)
    }
    do {
      let response = try await transport.send(request)
      guard response.status == 200 else {
        let body = try await response.body.collected()
        tape.noteEnd(.refused(.init(status: response.status, body: Self.text(body))), of: index)
        return Self.response(response, body)
      }
      let body = try await response.body.collected()
      if request.method == .get { note(body, of: index, address) }
      if packets.contains(.close) { tape.noteEnd(.closed(WebSocketClose()), of: index) }
      return Self.response(response, body)
    } catch {
      tape.takeBack(numbers, of: index)
      let isOpening = address.sid == nil
      // A poll that nobody waits for any more is no end of a session.
      if isOpening || !(error is CancellationError) { tape.noteEnd(.init(error), of: index) }
      throw error
    }
  }

  private func note(_ body: Data, of index: Int, _ address: EngineIOAddress) {
    guard let packets = try? EngineIOPayload.decode(body) else {
      return tape.noteEnd(.refused(.init(status: 200, body: Self.text(body))), of: index)
    }
    for packet in packets {
      switch packet {
      case .open(let handshake) where address.sid == nil:
        sessions.withLock { $0[handshake.sid] = index }
        tape.noteOpened(nil, of: index)
        tape.note(.received(packet.webSocketMessage), of: index)
      // It ends a poll, and no more.
      case .noop: break
      case .close: tape.noteEnd(.closed(WebSocketClose(code: 1005)), of: index)
      default: tape.note(.received(packet.webSocketMessage), of: index)
      }
    }
    if session(of: address.sid) == nil, packets.first?.isOpening != true {
      tape.noteEnd(.refused(.init(status: 200, body: Self.text(body))), of: index)
    }
  }

  private static func text(_ body: Data) -> String { String(decoding: body, as: UTF8.self) }

  private static func response(_ response: HTTPResponse, _ body: Data) -> HTTPResponse {
    HTTPResponse(status: response.status, headers: response.headers, body: HTTPBody(body))
  }
}

extension EngineIOPacket {
  fileprivate var isOpening: Bool { if case .open = self { true } else { false } }
}
