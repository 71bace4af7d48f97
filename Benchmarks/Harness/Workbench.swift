import Foundation
import SpeechKit

/// The options, the temporary folder and the measuring methods of all benchmarks.
@MainActor
final class Workbench {
  let options: BenchmarkOptions
  /// A folder that is deleted afterwards.
  let folder: URL
  private var speech: [Recording]?

  init(options: BenchmarkOptions) throws {
    self.options = options
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("speechkit-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  /// True if there is a null sink for the benchmarks; see Scripts/with-null-sink.
  var hasSoundDevice: Bool {
    ProcessInfo.processInfo.environment["SPEECHKIT_TEST_SINK"] != nil
  }

  /// The corpus in `SPEECHKIT_CORPUS`; `nil` if there is none.
  func corpus() throws -> Corpus? {
    guard let path = ProcessInfo.processInfo.environment["SPEECHKIT_CORPUS"], !path.isEmpty else {
      return nil
    }
    return try Corpus(URL(fileURLWithPath: path))
  }

  /// Speech of about the requested length, in files that both sides can read.
  func speechFiles() async throws -> [Recording] {
    if let speech { return speech }
    let material = SpokenMaterial(folder: folder, seconds: options.audioSeconds)
    let made: [Recording]
    if let corpus = try corpus() {
      made = try material.recordings(of: corpus.entries(of: "read"))
    } else {
      made = try await material.synthesizedRecordings()
    }
    speech = made
    return made
  }

  /// Returns a process of this executable as a worker.
  func worker(_ arguments: [String]) -> ChildProcess {
    ChildProcess(program: "/proc/self/exe", arguments: arguments, folder: folder)
  }

  /// Returns a process of another program.
  func peer(_ program: String, _ arguments: [String]) -> ChildProcess {
    ChildProcess(program: program, arguments: arguments, folder: folder)
  }

  /// Runs the processes alternately: once to warm up, then the requested number of times.
  func interleaved(_ processes: [ChildProcess]) throws -> [[ProcessUsage]] {
    var usages = processes.map { _ in [ProcessUsage]() }
    for round in 0...options.runs {
      for (index, process) in processes.enumerated() {
        let usage = try process.run()
        if round > 0 { usages[index].append(usage) }
      }
    }
    return usages
  }

  /// Measures the processor time of SpeechKit and a peer.
  func processorTime(
    _ benchmark: String, _ what: String, ours: ChildProcess, peer: ChildProcess, named: String,
    goal: BenchmarkRow.Goal? = nil, note: String? = nil
  ) throws -> BenchmarkRow {
    Terminal.note("  \(what)")
    let usages = try interleaved([ours, peer])
    return BenchmarkRow(
      benchmark: benchmark, what: what, unit: .seconds,
      ours: Samples(usages[0].map(\.processorTime)), peerName: named,
      peer: Samples(usages[1].map(\.processorTime)), goal: goal, note: note)
  }

  /// Repeats a measurement, after one to warm up.
  func repeated(
    _ times: Int, _ measure: () async throws -> Double
  ) async throws -> Samples {
    _ = try await measure()
    var values: [Double] = []
    for _ in 0..<times { values.append(try await measure()) }
    return Samples(values)
  }
}
