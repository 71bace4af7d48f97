import CPhoneScores
import Foundation
import SpeechCore

/// The logarithms of the mixture weights of senones in their stored form, because only a few of
/// them are needed.
struct MixtureWeights: Sendable {
  /// Mapped, so that it is in memory once for this and the library.
  private let bytes: Data
  private let form: Int32
  private let isSwapped: Bool
  private let sizes: MixtureWeightSizes

  /// The minimum of a weight: the smallest one that the library distinguishes from zero.
  private static let unit: Float = 1024 * 0.000_099_995

  init(folder: URL, senones: Int, gaussians: GaussianSizes) throws(SpeechRecognitionError) {
    let dump = folder.appendingPathComponent("sendump")
    sizes = MixtureWeightSizes(
      senones: senones, streams: gaussians.streams.count, densities: gaussians.densities)
    if FileManager.default.fileExists(atPath: dump.path) {
      let file = try SenoneDump(
        dump, senones: senones, streams: sizes.streams, densities: sizes.densities)
      bytes = try file.weights()
      form = Int32(file.isClustered ? skph_weights_halves : skph_weights_bytes)
      isSwapped = false
    } else {
      var file = try S3File(folder.appendingPathComponent("mixture_weights"))
      guard try MixtureWeightSizes(&file) == sizes else {
        throw file.reader.broken("its sizes do not fit the other files")
      }
      isSwapped = file.reader.isSwapped
      var reader = file.reader
      bytes = try reader.bytes(senones * sizes.streams * sizes.densities * 4)
      form = Int32(skph_weights_counts)
    }
  }

  /// The number of weights of a senone.
  var length: Int { sizes.streams * ((sizes.densities + 3) / 4 * 4) }

  /// The weights of these senones.
  func gathered(_ senones: [Int]) -> [Float] {
    let wanted = senones.map(Int32.init)
    let count = senones.count * length
    return [Float](unsafeUninitializedCapacity: count) { weights, filled in
      bytes.withUnsafeBytes { bytes in
        var stored = skph_weights(
          bytes: bytes.bindMemory(to: UInt8.self).baseAddress, form: form,
          swapped: isSwapped ? 1 : 0, unit: Self.unit,
          senones: Int32(sizes.senones), streams: Int32(sizes.streams),
          densities: Int32(sizes.densities))
        skph_gather_weights(&stored, wanted, Int32(wanted.count), weights.baseAddress)
      }
      filled = count
    }
  }
}
