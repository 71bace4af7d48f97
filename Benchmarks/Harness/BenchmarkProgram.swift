import Foundation

/// The benchmark executable, which measures SpeechKit beside its peers and prints a report.
///
/// A missed goal is a line of the report, not a failure. The status is 0 if all measurements
/// succeeded, 1 if one failed, and 2 for invalid arguments.
@MainActor
struct BenchmarkProgram {
  let arguments: [String]

  static let benchmarks: [any Benchmark] =
    [
      TranscribingBenchmark(), GrammarBenchmark(), RejectionBenchmark(), GrowthBenchmark(),
      CheckBenchmark(),
      FirstAudioBenchmark(), StopBenchmark(), SegmenterBenchmark(),
      IdleMicrophoneBenchmark(), WarmStartBenchmark(), WrapperMemoryBenchmark(),
      EventStreamBenchmark(), ServiceCallBenchmark(),
      SocketRoundTripBenchmark(), HedgedAnswerBenchmark(), CloudAudioBenchmark(),
      AccuracyBenchmark(), LanguageModelBenchmark(), WakeWordBenchmark(), EchoBenchmark(),
      EndpointBenchmark(), WhisperBenchmark(), WhisperLiveBenchmark(), CascadeBenchmark(),
      LoopBenchmark(), ScenarioBenchmark(), LabGateBenchmark(),
    ] + espeak

  /// The measurements of eSpeak NG.
  private static var espeak: [any Benchmark] {
    #if Espeak
    [SynthesisBenchmark(), PronunciationBenchmark()]
    #else
    []
    #endif
  }

  func run() async -> Int32 {
    do {
      if let status = try await Worker.run(arguments) { return status }
      let options = try BenchmarkOptions(arguments)
      switch options.mode {
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
    let chosen = options.chosen(from: Self.benchmarks)
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
    Measures SpeechKit beside the programs of the C libraries, alternating in the same run.

    usage: Benchmarks [--filter NAME] [--runs N] [--audio SECONDS] [--json] [--list]

      --filter NAME    only the benchmark NAME, or those with NAME in their name
      --runs N         measured runs of each side, after one to warm up (3)
      --audio SECONDS  length of the audio for the processor time of recognition (60)
      --json           print the report as JSON
      --list           list the benchmarks

    SPEECHKIT_CORPUS=FOLDER (with manifest.tsv) measures recognition on recordings, and adds the
    accuracy table; without it, Flite synthesises the speech. Under Scripts/with-null-sink, real
    audio devices are measured as well. A missed goal does not change the status.
    """
}

/// Progress messages on standard error. Standard output has only the report.
enum Terminal {
  static func note(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
