import Foundation
import SpeechKit

/// What all benchmarks work with: the options, a folder, and the way of measuring.
@MainActor
final class Workbench {
  let options: BenchmarkOptions
  /// A folder that is gone afterwards.
  let folder: URL
  private var speech: [Recording]?

  init(options: BenchmarkOptions) throws {
    self.options = options
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("speechkit-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  /// Whether a sound device of our own is there; see Scripts/with-null-sink.
  var hasSoundDevice: Bool {
    ProcessInfo.processInfo.environment["SPEECHKIT_TEST_SINK"] != nil
  }

  /// The corpus that the environment names.
  func corpus() throws -> Corpus? {
    guard let path = ProcessInfo.processInfo.environment["SPEECHKIT_CORPUS"], !path.isEmpty else {
      return nil
    }
    return try Corpus(URL(fileURLWithPath: path))
  }

  /// Speech of about the length that was asked for, as files that both sides can read.
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

  /// This executable as a worker with these arguments.
  func worker(_ arguments: [String]) -> ChildProcess {
    ChildProcess(program: "/proc/self/exe", arguments: arguments, folder: folder)
  }

  /// The program of that name with these arguments.
  func peer(_ program: String, _ arguments: [String]) -> ChildProcess {
    ChildProcess(program: program, arguments: arguments, folder: folder)
  }

  /// Runs the processes in turns, once to warm up and then as often as was asked for.
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

  /// Ours and the peer's processor time.
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

  /// Measures one thing of ours again and again, after once to warm up.
  func repeated(
    _ times: Int, _ measure: () async throws -> Double
  ) async throws -> Samples {
    _ = try await measure()
    var values: [Double] = []
    for _ in 0..<times { values.append(try await measure()) }
    return Samples(values)
  }
}
