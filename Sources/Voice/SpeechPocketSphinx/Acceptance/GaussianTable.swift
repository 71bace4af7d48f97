import CPhoneScores
import Foundation
import SpeechCore

/// The Gaussians of a model: the densities of each codebook and stream.
struct GaussianTable: Sendable {
  let sizes: GaussianSizes
  /// The lengths of the streams of a frame's features.
  let widths: [Int32]
  /// The numbers in the form that the scores are computed from.
  let numbers: [Float]

  init(folder: URL) throws(SpeechRecognitionError) {
    var means = try S3File(folder.appendingPathComponent("means"))
    var variances = try S3File(folder.appendingPathComponent("variances"))
    let sizes = try GaussianSizes(&means)
    guard try GaussianSizes(&variances) == sizes else {
      throw variances.reader.broken("its sizes do not fit the means")
    }
    let widths = sizes.streams.map(Int32.init)
    let streams = Int32(widths.count)
    let (densities, codebooks) = (Int32(sizes.densities), Int32(sizes.codebooks))
    let length = skph_codebook_length(widths, streams, densities) * sizes.codebooks
    var made: Result<[Float], SpeechRecognitionError> = .success([])
    try means.withNumbers(sizes.count) { middles in
      do throws(SpeechRecognitionError) {
        made = .success(
          try variances.withNumbers(sizes.count) { spreads in
            [Float](unsafeUninitializedCapacity: length) { numbers, filled in
              skph_gaussians(
                middles.baseAddress, spreads.baseAddress, widths, streams, codebooks, densities,
                numbers.baseAddress)
              filled = length
            }
          })
      } catch {
        made = .failure(error)
      }
    }
    numbers = try made.get()
    self.sizes = sizes
    self.widths = widths
  }
}
