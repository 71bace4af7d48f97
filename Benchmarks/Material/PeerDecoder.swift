import Foundation
import SpeechKit

/// The distribution's `pocketsphinx_batch`, with the same models as SpeechKit.
@MainActor
struct PeerDecoder {
  static let name = "pocketsphinx_batch"

  /// The settings with the fewest word errors. By default the program normalises a file by the mean
  /// of the files before it, and removes silence. On 753 words of read speech, 33.3 % of them are
  /// wrong with these settings, 34.0 % if silence is removed, and 34.9 % if noise is not removed.
  static let bestSettings = ["-cmn", "batch", "-remove_silence", "no"]

  /// Returns the settings that SpeechKit uses for a preset.
  static func settings(of preset: PocketSphinxPreset) -> [String] {
    ["-cmn", "batch", "-remove_silence", "no"] + preset.options
  }

  /// The settings that SpeechKit uses for a grammar.
  static let grammarSettings = ["-cmn", "batch", "-remove_silence", "no", "-remove_noise", "no"]

  let bench: Workbench
  let model: PocketSphinxModel

  init(_ bench: Workbench) throws {
    self.bench = bench
    model = try PocketSphinxModel.find(for: Locale(identifier: "en-US"))
  }

  /// Returns a process that writes the recognised text of the recordings to standard output. The
  /// recordings have to be in the workbench's folder.
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

  /// Returns the recognised text by recording, from lines with the words and, in parentheses, the
  /// name and the score.
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
