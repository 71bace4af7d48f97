/// One thing that is measured, beside its peer where there is one.
@MainActor
protocol Benchmark {
  /// What `--filter` looks at.
  var name: String { get }

  /// What is measured, in a line.
  var summary: String { get }

  /// Measures.
  ///
  /// - Throws: `SkippedBenchmark` when this machine lacks what it takes.
  func run(on bench: Workbench) async throws -> [BenchmarkRow]
}

/// A benchmark cannot be run here, which is nobody's fault.
struct SkippedBenchmark: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
