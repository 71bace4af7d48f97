/// A measurement, compared with a peer if there is one.
@MainActor
protocol Benchmark {
  /// The name that `--filter` searches.
  var name: String { get }

  /// One line about what is measured.
  var summary: String { get }

  /// Runs the measurement.
  ///
  /// - Throws: `SkippedBenchmark` if this machine lacks something it needs.
  func run(on bench: Workbench) async throws -> [BenchmarkRow]
}

/// The error of a benchmark that cannot run on this machine.
struct SkippedBenchmark: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
