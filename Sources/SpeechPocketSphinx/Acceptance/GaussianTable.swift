import Foundation
import SpeechCore

/// The numbers of a file of means or variances, as they stand there.
struct GaussianTable {
  let sizes: GaussianSizes
  let values: [Float]

  init(_ url: URL) throws(SpeechRecognitionError) {
    sizes = try GaussianSizes(url)
    let (sizes, count) = (sizes, sizes.codebooks * sizes.densities * sizes.streams.reduce(0, +))
    // Codebooks, streams, densities, the streams' lengths and the count of the numbers.
    var file = try S3File(url)
    values = try file.numbers(after: 4 + sizes.streams.count, count: count)
  }
}

/// The logarithms of the shares that densities have in senones.
struct MixtureWeights: Sendable {
  /// For each senone and stream, all densities; `step` is what one counts.
  private let bytes: [SIMD16<UInt8>]
  private let step: Float
  private let streams: Int
  private let blocks: Int

  /// A weight that is smaller counts as this: the least that the library tells apart from none.
  private static let units: Float = 1024 * 0.000_099_995

  init(folder: URL, senones: Int, sizes: GaussianSizes) throws(SpeechRecognitionError) {
    let dump = folder.appendingPathComponent("sendump")
    let (streams, densities) = (sizes.streams.count, sizes.densities)
    let blocks = (densities + 15) / 16
    self.streams = streams
    self.blocks = blocks
    step = -Self.units
    let width = blocks * 16
    var table = [UInt8](repeating: 255, count: senones * streams * width)
    if FileManager.default.fileExists(atPath: dump.path) {
      let weights = try SenoneDump(
        dump, senones: senones, streams: streams, densities: densities
      ).weights()
      weights.withUnsafeBufferPointer { weights in
        table.withUnsafeMutableBufferPointer { table in
          var place = 0
          for stream in 0..<streams {
            for density in 0..<densities {
              var target = stream * width + density
              for _ in 0..<senones {
                table[target] = weights[place]
                target += streams * width
                place += 1
              }
            }
          }
        }
      }
    } else {
      var file = try S3File(folder.appendingPathComponent("mixture_weights"))
      let counts = try file.numbers(after: 4, count: senones * streams * densities)
      for row in 0..<senones * streams {
        let row = (counts: row * densities, table: row * width)
        let total = counts[row.counts..<row.counts + densities].reduce(0, +)
        for density in 0..<densities {
          let share = max(counts[row.counts + density] / max(total, 1e-20), 1e-7)
          table[row.table + density] = UInt8(clamping: Int((-logf(share) / Self.units).rounded()))
        }
      }
    }
    bytes = [SIMD16<UInt8>](unsafeUninitializedCapacity: table.count / 16) { blocks, count in
      table.withUnsafeBytes { UnsafeMutableRawBufferPointer(blocks).copyMemory(from: $0) }
      count = table.count / 16
    }
  }

  /// Sixteen of them.
  @inline(__always)
  func block(_ block: Int, senone: Int, stream: Int) -> SIMD16<Float> {
    SIMD16<Float>(bytes[(senone * streams + stream) * blocks + block]) * step
  }
}
