import Foundation
import SpeechKit

/// Measures time and memory of building a language model from a million words.
struct LanguageModelBenchmark: Benchmark {
  let name = "language-model"
  let summary = "building a model from a million words, beside KenLM's lmplz if it is installed"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let text = bench.folder.appendingPathComponent("million.txt")
    try Self.millionWords().write(to: text, atomically: true, encoding: .utf8)
    let model = bench.folder.appendingPathComponent("model.lm").path
    var processes = [bench.worker([Worker.model, text.path, model])]
    if let lmplz = Self.lmplz {
      processes.append(
        bench.peer(
          lmplz,
          [
            "-o", "3", "--text", text.path, "--arpa", model + ".peer", "-S", "1G", "-T",
            bench.folder.path,
          ]))
    }
    let usages = try bench.interleaved(processes)
    func row(
      _ what: String, _ unit: BenchmarkRow.Unit, _ value: (ProcessUsage) -> Double
    ) -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: what, unit: unit, ours: Samples(usages[0].map(value)),
        peerName: usages.count > 1 ? "lmplz" : nil,
        peer: usages.count > 1 ? Samples(usages[1].map(value)) : nil)
    }
    return [
      row("a million words, processor time", .seconds) { $0.processorTime },
      row("a million words, own memory", .megabytes) { $0.memory.peakOwn },
    ]
  }

  /// The path of KenLM's program, which the distribution does not package.
  private static var lmplz: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { $0 + "/lmplz" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns sentences whose word frequencies are as uneven as those of natural language.
  private static func millionWords() -> String {
    var state: UInt64 = 4
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var text = ""
    var count = 0
    while count < 1_000_000 {
      let length = 5 + next(15)
      var last = 0
      for index in 0..<length {
        last = next(3) == 0 ? (last * 7 + next(5)) % 40_000 : next(next(next(40_000) + 1) + 1)
        if index > 0 { text += " " }
        for part in [last / 17_576, last / 676 % 26, last / 26 % 26, last % 26] {
          text.unicodeScalars.append(Unicode.Scalar(UInt8(97 + part)))
        }
      }
      text += "\n"
      count += length
    }
    return text
  }
}
