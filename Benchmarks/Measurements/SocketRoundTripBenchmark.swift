import Foundation
import SpeechKit

/// Measures requests over Socket.IO that are answered by acknowledgements, beside python-socketio's
/// own client.
struct SocketRoundTripBenchmark: Benchmark {
  let name = "socket-round-trip"
  let summary = "consecutive requests over Socket.IO, beside python-socketio"

  private nonisolated static let requests = 2_000

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let python = try PeerServer.python()
    let server = try PeerServer(
      "socketio_server.py", options: #"{"matching":"ack","instant":true}"#)
    defer { server.stop() }
    let ours = bench.worker([Worker.socket, "\(server.port)", "\(Self.requests)"])
    let peer = bench.peer(
      python, [PeerServer.script("socketio_client.py"), "\(server.port)", "\(Self.requests)"])
    let usages = try bench.interleaved([ours, peer])
    let times = try usages.map { try $0.map(Self.time) }
    return [
      BenchmarkRow(
        benchmark: name, what: "round trip of a request", unit: .microseconds,
        ours: Samples(times[0]), peerName: "python-socketio", peer: Samples(times[1]),
        note: "the same server in Python; without start and connection"),
      BenchmarkRow(
        benchmark: name, what: "processor time of \(Self.requests) requests", unit: .seconds,
        ours: Samples(usages[0].map(\.processorTime)), peerName: "python-socketio",
        peer: Samples(usages[1].map(\.processorTime)),
        note: "with start and connection, without the server"),
    ]
  }

  /// Returns the microseconds that a process printed.
  private nonisolated static func time(_ usage: ProcessUsage) throws -> Double {
    guard let time = Double(usage.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ChildProcessError(
        "Instead of a time, the process printed “\(usage.output.prefix(100))”.")
    }
    return time
  }
}
