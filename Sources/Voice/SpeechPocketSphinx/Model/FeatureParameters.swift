import Foundation
import SpeechCore

/// The `feat.params` of a model: the computation of the features that it was trained on. The
/// library treats this file as options of its own, and ends the process over some contradictions.
struct FeatureParameters {
  /// The lengths of the resulting streams of numbers.
  let streams: [Int]

  private static let numbers: Set<String> = [
    "-alpha", "-ceplen", "-frate", "-ldadim", "-lifter", "-lowerf", "-ncep", "-nfft", "-nfilt",
    "-samprate", "-seed", "-upperf", "-vad_postspeech", "-vad_prespeech", "-vad_startspeech",
    "-vad_threshold", "-warp_params", "-wlen", "-agcthresh",
  ]
  private static let switches: Set<String> = [
    "-dither", "-doublebw", "-logspec", "-remove_dc", "-remove_noise", "-remove_silence",
    "-round_filters", "-smoothspec", "-unit_area", "-varnorm",
  ]
  private static let choices: [String: Set<String>] = [
    "-transform": ["legacy", "dct", "htk"],
    "-feat": ["1s_c_d_dd", "s2_4x"],
    "-agc": ["none", "max", "emax", "noise"],
    "-cmn": ["none", "batch", "live", "current", "prior"],
    "-model": ["ptm", "semi", "cont", "s2"],
    "-input_endian": ["little", "big"],
    "-warp_type": ["inverse_linear", "affine", "piecewise_linear"],
  ]

  init(_ url: URL) throws(SpeechRecognitionError) {
    func broken(_ reason: String) -> SpeechRecognitionError {
      ModelFileReader.broken(url, reason)
    }
    guard let data = try? Data(contentsOf: url), data.count <= 65_536,
      let text = String(data: data, encoding: .utf8)
    else { throw broken("it is not text") }
    guard text.isEmpty || text.hasSuffix("\n") else { throw broken("it ends too early") }
    let fields = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard fields.count % 2 == 0 else { throw broken("an option has no value") }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: fields.count, by: 2) {
      let (name, value) = (fields[index], fields[index + 1])
      guard Self.accepts(name, value) else {
        throw broken("“\(name) \(value)” is not a valid option")
      }
      values[name] = value
    }
    guard values["-feat"] != nil, values["-lowerf"] != nil, values["-upperf"] != nil else {
      throw broken("it does not state -feat, -lowerf and -upperf")
    }
    guard Int(values["-samprate"] ?? "16000") == 16_000 else {
      throw broken(
        "its model is for \(values["-samprate"] ?? "") Hz; models of 16000 are supported")
    }
    guard let lower = Double(values["-lowerf"] ?? ""), let upper = Double(values["-upperf"] ?? ""),
      0 < lower, lower < upper, upper <= 8000, Int(values["-ceplen"] ?? "13") == 13,
      Int(values["-ncep"] ?? "13") == 13, (20...128).contains(Int(values["-nfilt"] ?? "40") ?? 0),
      Int(values["-frate"] ?? "100") == 100, Int(values["-nfft"] ?? "512") == 512,
      (0.01...0.032).contains(Double(values["-wlen"] ?? "0.025625") ?? 0)
    else { throw broken("its numbers are out of range") }
    streams = try Self.streams(values, url)
  }

  private static func accepts(_ name: String, _ value: String) -> Bool {
    switch name {
    case _ where numbers.contains(name): Double(value)?.isFinite == true
    case _ where switches.contains(name): ["yes", "no"].contains(value)
    case "-cmninit":
      value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
        Double($0)?.isFinite == true
      }
    case "-svspec": true
    default: choices[name]?.contains(value) ?? false
    }
  }

  private static func streams(
    _ values: [String: String], _ url: URL
  ) throws(SpeechRecognitionError) -> [Int] {
    let plain = values["-feat"] == "s2_4x" ? [12, 24, 3, 12] : [39]
    guard let specification = values["-svspec"] else { return plain }
    // Ranges of the 39 numbers, such as 0-12/13-25/26-38.
    var lengths: [Int] = []
    for stream in specification.split(separator: "/", omittingEmptySubsequences: false) {
      var length = 0
      for range in stream.split(separator: ",", omittingEmptySubsequences: false) {
        let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
          first >= 0, first <= last, last < plain.reduce(0, +)
        else {
          throw ModelFileReader.broken(url, "“-svspec \(specification)” is not a valid option")
        }
        length += last - first + 1
      }
      lengths.append(length)
    }
    guard plain.count == 1, lengths.reduce(0, +) <= plain[0] else {
      throw ModelFileReader.broken(url, "“-svspec \(specification)” does not fit “-feat”")
    }
    return lengths
  }
}
