import Foundation
import SpeechKit

/// `pocketsphinx_batch` of the distribution, with the models that we use.
@MainActor
struct PeerDecoder {
  static let name = "pocketsphinx_batch"

  /// What gives the fewest word errors with it. By default a file is decoded under the mean of those
  /// before and without its silence: on 753 words of read speech, 33.3 % of them are wrong with these
  /// settings, 34.0 % when silence is cut out, 34.9 % when noise is left in.
  static let bestSettings = ["-cmn", "batch", "-remove_silence", "no"]

  /// The settings that our decoder makes of a preset.
  static func settings(of preset: PocketSphinxPreset) -> [String] {
    ["-cmn", "batch", "-remove_silence", "no"] + preset.options
  }

  /// The settings that our decoder makes for a grammar.
  static let grammarSettings = ["-cmn", "batch", "-remove_silence", "no", "-remove_noise", "no"]

  let bench: Workbench
  let model: PocketSphinxModel

  init(_ bench: Workbench) throws {
    self.bench = bench
    model = try PocketSphinxModel.find(for: Locale(identifier: "en-US"))
  }

  /// The program for these recordings, writing what it heard to standard output. They have to be in
  /// the bench's folder.
  func process(
    _ recordings: [Recording], settings: [String], grammar: URL? = nil
  ) throws -> ChildProcess {
    let control = bench.folder.appendingPathComponent("ctl-\(UUID().uuidString)")
    try recordings.map(\.name).joined(separator: "\n").appending("\n")
      .write(to: control, atomically: true, encoding: .utf8)
    var arguments = [
      "-hmm", model.acousticModel.path, "-dict", model.dictionary.path, "-adcin", "yes", "-adchdr",
      "44", "-cepdir", bench.folder.path, "-cepext", ".wav", "-ctl", control.path, "-hyp",
      "/dev/stdout", "-logfn", "/dev/null",
    ]
    if let grammar {
      arguments += ["-jsgf", grammar.path]
    } else {
      guard let languageModel = model.languageModel else {
        throw SkippedBenchmark("the model for English has no language model")
      }
      arguments += ["-lm", languageModel.path]
    }
    return bench.peer(Self.name, arguments + settings)
  }

  /// What it heard, by the recordings' names: lines of the words and, in parentheses, name and score.
  static func heard(in output: String) -> [String: String] {
    var heard: [String: String] = [:]
    for line in output.split(separator: "\n") where line.hasSuffix(")") {
      guard let open = line.lastIndex(of: "(") else { continue }
      let inside = line[line.index(after: open)...].dropLast().split(separator: " ")
      guard let name = inside.first else { continue }
      heard[String(name)] = line[..<open].trimmingCharacters(in: .whitespaces)
    }
    return heard
  }
}
