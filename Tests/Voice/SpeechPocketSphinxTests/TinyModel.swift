import Foundation
import TestSupport

@testable import SpeechPocketSphinx

/// An acoustic model of three phones, so small that its files can be broken thousands of times.
struct TinyModel {
  static let phones = ["SIL", "A", "+N+"]
  static let states = 3
  static let senones = 12
  static let widths = [6, 1]
  static let densities = 5

  /// True if the numbers have the other byte order.
  var isSwapped = false
  private(set) var means: [Float] = []
  private(set) var variances: [Float] = []
  /// In units of the file, for each stream, density and senone.
  private(set) var weights: [UInt8] = []

  init() {
    var random = SplitMix(seed: 11)
    let count = Self.phones.count * Self.densities * Self.widths.reduce(0, +)
    means = (0..<count).map { _ in Float(random.next(2_000)) / 500 - 2 }
    variances = (0..<count).map { _ in Float(random.next(1_000) + 100) / 500 }
    weights = (0..<Self.widths.count * Self.densities * Self.senones).map { _ in
      UInt8(random.next(16) * 5)
    }
  }

  // MARK: - Files

  private func word(_ value: Int) -> [UInt8] {
    let value = UInt32(truncatingIfNeeded: value)
    return withUnsafeBytes(of: isSwapped ? value.bigEndian : value.littleEndian) { Array($0) }
  }

  private func half(_ value: Int) -> [UInt8] {
    let value = UInt16(truncatingIfNeeded: value)
    return withUnsafeBytes(of: isSwapped ? value.bigEndian : value.littleEndian) { Array($0) }
  }

  private func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { word(Int($0.bitPattern)) }
  }

  var mdef: [UInt8] {
    var bytes = word(0x4644_4D42) + word(1) + word(4) + Array("form".utf8)
    // Phones, all of them, states, senones of the first, all, matrices, rows, context, nodes,
    // silence.
    for size in [3, 4, Self.states, 9, Self.senones, 1, 4, 3, 7, 0] { bytes += word(size) }
    let names = Self.phones.flatMap { name -> [UInt8] in Array(name.utf8) + [0] }
    bytes += names + [UInt8](repeating: 0, count: (4 - names.count % 4) % 4)
    // “A” between silences inside a word is the fourth phone.
    let nodes = [
      (0, 1, 4), (1, 0, -1), (2, 0, -1), (3, 0, -1), (1, 1, 5), (0, 1, 6), (0, 0, 3),
    ]
    for (key, below, target) in nodes { bytes += half(key) + half(below) + word(target) }
    for phone in 0..<4 { bytes += word(phone) + word(0) + [0, 0, 0, 0] }
    bytes += word(Self.senones)
    for senone in 0..<Self.senones { bytes += half(senone) }
    return bytes
  }

  private func s3(_ sizes: [Int], _ numbers: [Float]) -> [UInt8] {
    Array("s3\nversion 1.0\nendhdr\n".utf8) + word(0x1122_3344) + sizes.flatMap(word)
      + word(numbers.count) + floats(numbers)
  }

  private var sizes: [Int] { [Self.phones.count, 2, Self.densities] + Self.widths }
  var meansFile: [UInt8] { s3(sizes, means) }
  var variancesFile: [UInt8] { s3(sizes, variances) }

  private func dump(_ entries: [String], _ rest: [UInt8]) -> [UInt8] {
    let lines =
      [
        "BEGIN FILE FORMAT DESCRIPTION", "feature_count 2", "mixture_count \(Self.densities)",
        "model_count \(Self.senones)",
      ] + entries
    let head = lines.flatMap { line -> [UInt8] in
      word(line.utf8.count + 1) + Array(line.utf8) + [0]
    }
    return head + word(0) + rest
  }

  var sendump: [UInt8] { dump([], word(Self.densities) + word(Self.senones) + weights) }

  /// The same weights, chosen from sixteen.
  var clusteredSendump: [UInt8] {
    let chosen = weights.map { $0 / 5 }
    let pairs = stride(from: 0, to: chosen.count, by: 2).map { chosen[$0] | chosen[$0 + 1] << 4 }
    return dump(["cluster_count 15", "cluster_bits 4"], (0..<16).map { UInt8($0 * 5) } + pairs)
  }

  var mixtureWeights: [UInt8] {
    var counts: [Float] = []
    for senone in 0..<Self.senones {
      for line in 0..<Self.widths.count * Self.densities {
        counts.append(Float(weights[line * Self.senones + senone]) + 1)
      }
    }
    return s3([Self.senones, Self.widths.count, Self.densities], counts)
  }

  var files: [String: [UInt8]] {
    ["mdef": mdef, "means": meansFile, "variances": variancesFile, "sendump": sendump]
  }

  // MARK: - What it says

  /// The score of a frame for a senone of a phone, computed directly.
  func score(_ frame: [Float], phone: Int, senone: Int) -> Float {
    var sum: Float = 0
    var start = 0
    var table = phone * Self.densities * Self.widths.reduce(0, +)
    for (stream, width) in Self.widths.enumerated() {
      let scores = (0..<Self.densities).map { density -> Float in
        let line = stream * Self.densities + density
        var score = -Float(weights[line * Self.senones + senone]) * 1024 * 0.000_099_995
        for index in 0..<width {
          let place = table + density * width + index
          let distance = frame[start + index] - means[place]
          score -= 0.5 * (log(2 * .pi * variances[place]) + distance * distance / variances[place])
        }
        return score
      }
      sum += scores.max() ?? 0
      start += width
      table += Self.densities * width
    }
    return sum
  }
}

/// A folder for the files of a model, which is removed with it.
struct ModelFolder: ~Copyable {
  let url: URL

  init(_ files: [String: [UInt8]]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tiny-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, bytes) in files { try write(bytes, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appendingPathComponent(name))
  }
}
