import Foundation

/// The benchmark executable: measures ours beside its peer and prints what came of it.
///
/// A goal that is missed is a line of the report, not a failure: the status is 0 when everything could be
/// measured, 1 when something could not, 2 for wrong arguments.
@MainActor
struct BenchmarkProgram {
  let arguments: [String]

  static let benchmarks: [any Benchmark] = [
    TranscribingBenchmark(), GrammarBenchmark(), RejectionBenchmark(), SynthesisBenchmark(),
    FirstAudioBenchmark(),
    StopBenchmark(), SegmenterBenchmark(), IdleMicrophoneBenchmark(), WarmStartBenchmark(),
    WrapperMemoryBenchmark(), EventStreamBenchmark(), ServiceCallBenchmark(),
    SocketRoundTripBenchmark(), HedgedAnswerBenchmark(), CloudAudioBenchmark(),
    AccuracyBenchmark(),
    PronunciationBenchmark(), LanguageModelBenchmark(), WakeWordBenchmark(), EchoBenchmark(),
    EndpointBenchmark(), LoopBenchmark(), ScenarioBenchmark(), LabGateBenchmark(),
  ]

  func run() async -> Int32 {
    do {
      if let status = try await Worker.run(arguments) { return status }
      let options = try BenchmarkOptions(arguments)
      switch options.wish {
      case .help:
        print(Self.help)
        return 0
      case .list:
        for benchmark in Self.benchmarks {
          print("\(benchmark.name)\t\(benchmark.summary)")
        }
        return 0
      case .measure:
        return try await measure(options)
      }
    } catch {
      Terminal.note("Benchmarks: \(error.localizedDescription)")
      return error is UsageError ? 2 : 1
    }
  }

  private func measure(_ options: BenchmarkOptions) async throws -> Int32 {
    let chosen = Self.benchmarks.filter { options.takes($0.name) }
    guard !chosen.isEmpty else {
      throw UsageError("no benchmark has “\(options.filter)” in its name; --list shows them")
    }
    let bench = try Workbench(options: options)
    defer { bench.cleanUp() }
    var report = BenchmarkReport()
    for benchmark in chosen {
      Terminal.note("\(benchmark.name): \(benchmark.summary)")
      do {
        report.rows += try await benchmark.run(on: bench)
      } catch let skipped as SkippedBenchmark {
        report.skipped.append(.init(benchmark: benchmark.name, reason: skipped.reason))
      } catch {
        report.failed.append(
          .init(benchmark: benchmark.name, reason: error.localizedDescription))
      }
    }
    print(options.isJSON ? try report.json() : report.text(), terminator: "")
    return report.failed.isEmpty ? 0 : 1
  }

  private static let help = """
    Measures SpeechKit beside the programs of the C libraries, in turns and in the same run.

    usage: Benchmarks [--filter NAME] [--runs N] [--audio SECONDS] [--json] [--list]

      --filter NAME    only benchmarks with NAME in their name
      --runs N         how often each side is measured, after one round to warm up (3)
      --audio SECONDS  how much sound the processor time of recognition is measured on (60)
      --json           the report as JSON
      --list           the names of the benchmarks

    SPEECHKIT_CORPUS=FOLDER (with manifest.tsv) is what recognition is measured on, and adds the
    accuracy table; without it speech is made with Flite. Under Scripts/with-null-sink the real
    microphone and speakers are measured as well. A missed goal does not change the status.
    """
}

/// Says on the terminal what is going on; the report alone goes to standard output.
enum Terminal {
  static func note(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
