import AIServices
import ConformanceTesting
import Foundation
import LLMSocket
import ServiceTestSupport
import TestSupport
import Testing

/// In separate processes, because other tests open and close connections as well.
@Suite(.needsPeers) struct SocketLeakTests {
  @Test func `generations cancelled at any point leak nothing`() async {
    await #expect(processExitsWith: .success) {
      for (script, dialect) in [
        ("socketio_server.py", LLMConfiguration.Dialect.socketIO), ("phoenix_server.py", .phoenix),
      ] {
        try await Peer.with(script) { peer in
          var random = SplitMix(seed: 200)
          try await Churn.generations(20, peer, dialect, &random)
          let before = ProcessHoldings.now()
          try await Churn.generations(200, peer, dialect, &random)
          Churn.expectNoMore(than: before)
        }
      }
    }
  }

  @Test func `connections cancelled while opening leak nothing`() async {
    await #expect(processExitsWith: .success) {
      try await Peer.with("websocket_echo.py") { peer in
        var random = SplitMix(seed: 500)
        try await Churn.connections(50, peer, &random)
        let before = ProcessHoldings.now()
        try await Churn.connections(500, peer, &random)
        Churn.expectNoMore(than: before)
        #expect(ProcessHoldings.now().hasGrown(since: before, atMostKibibytes: 16 << 10))
      }
    }
  }
}

private enum Churn {
  static func generations(
    _ count: Int, _ peer: Peer, _ dialect: LLMConfiguration.Dialect, _ random: inout SplitMix
  ) async throws {
    let url = try #require(URL(string: "ws://127.0.0.1:\(peer.port)/socket"))
    let service = LLMService(
      LLMConfiguration(
        url: url, dialect: dialect, connectionAttempts: 1_000, reconnection: impatient))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<count {
        let delay = Int.random(in: 0...60, using: &random)
        let isCancelled = Bool.random(using: &random)
        group.addTask {
          let task = Task { try await service.generateText("\(number)") }
          for _ in 0..<delay { await Task.yield() }
          if isCancelled { task.cancel() }
          switch await task.result {
          case .success(let text): return text == "<\(number)>"
          case .failure(let error):
            // The lane of the dialect may be replaced during a request that was not cancelled.
            return error is CancellationError ? isCancelled : error is LLMError
          }
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    let last = try await service.generateText("last")
    #expect(last == "<last>")
    await service.disconnect()
  }

  static func connections(_ count: Int, _ peer: Peer, _ random: inout SplitMix) async throws {
    let url = try #require(URL(string: "ws://127.0.0.1:\(peer.port)/echo"))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= 16 { await group.next() }
        let delay = Int.random(in: 0...400, using: &random)
        let closes = Bool.random(using: &random)
        group.addTask {
          let task = Task {
            let socket = try await CurlTransport.shared.open(WebSocketRequest(url))
            try await socket.send(.text("x"))
            _ = try await socket.receive()
            if closes { await socket.close() }
          }
          for _ in 0..<delay { await Task.yield() }
          task.cancel()
          _ = await task.result
        }
      }
    }
  }

  static func expectNoMore(than before: ProcessHoldings) {
    let after = ProcessHoldings.settled(since: before)
    #expect(after.isNoMore(than: before), "\(before) → \(after)")
  }
}
