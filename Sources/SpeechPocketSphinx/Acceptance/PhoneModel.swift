import Foundation
import SpeechConcurrency
import SpeechCore

/// The acoustic model read by ourselves: what each phone sounds like, for every sound alike.
///
/// The library scores only those sounds that its search waits for, and each frame against the best of
/// them, so its scores tell nothing of what else might have been said. Here all phones are scored on
/// one scale, in natural logarithms.
struct PhoneModel: Sendable {
  let definition: PhoneDefinition
  /// The lengths of the streams of a frame's features.
  let streams: [Int]
  let codebooks: Int
  /// A stream's densities, in blocks of sixteen.
  let blocks: Int
  /// For each codebook and stream: the constants of the densities; then for each value of the stream
  /// the factors of its square and of itself.
  private let gaussians: [SIMD16<Float>]
  /// Where the numbers of a stream start within a codebook's.
  private let streamStarts: [Int]
  private let codebookLength: Int
  /// The logarithms of the mixture weights: for each senone and stream, all densities.
  private let weights: MixtureWeights
  private let plainWeights: [SIMD16<Float>]

  var phones: Int { definition.phones.count }
  var states: Int { definition.states }
  /// How many values a frame has.
  var width: Int { streams.reduce(0, +) }

  private static let known = Guarded<[Set<AcousticModelCheck.Stamp>: PhoneModel]>([:])

  /// The model of that folder, which all decoders share: it takes 6 MB and some time to read.
  static func shared(folder: URL) throws(SpeechRecognitionError) -> PhoneModel {
    let stamps = AcousticModelCheck.stamps(in: folder)
    if let model = known.withLock({ $0[stamps] }) { return model }
    let model = try PhoneModel(folder: folder)
    known.withLock { $0[stamps] = model }
    return model
  }

  init(folder: URL) throws(SpeechRecognitionError) {
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
    definition = try PhoneDefinition(file("mdef"))
    let means = try GaussianTable(file("means"))
    let variances = try GaussianTable(file("variances"))
    guard means.sizes == variances.sizes else {
      throw ModelFileReader.broken(file("variances"), "its sizes do not fit the means")
    }
    let sizes = means.sizes
    streams = sizes.streams
    codebooks = sizes.codebooks
    blocks = (sizes.densities + 15) / 16
    weights = try MixtureWeights(folder: folder, senones: definition.senones, sizes: sizes)

    var starts: [Int] = []
    var length = 0
    for stream in streams {
      starts.append(length)
      length += blocks * (1 + 2 * stream)
    }
    streamStarts = starts
    codebookLength = length
    gaussians = Self.gaussians(means, variances, blocks: blocks, length: length)
    var plain: [SIMD16<Float>] = []
    for phone in definition.plainSenones {
      for senone in phone {
        for stream in streams.indices {
          for block in 0..<blocks {
            plain.append(weights.block(block, senone: senone, stream: stream))
          }
        }
      }
    }
    plainWeights = plain
  }

  private static func gaussians(
    _ means: GaussianTable, _ variances: GaussianTable, blocks: Int, length: Int
  ) -> [SIMD16<Float>] {
    let sizes = means.sizes
    // Plain numbers while it is made, which builds without optimisation are quicker with.
    var table = [Float](repeating: 0, count: length * sizes.codebooks * 16)
    var start = 0
    var first = 0
    for _ in 0..<sizes.codebooks {
      for width in sizes.streams {
        for density in 0..<blocks * 16 {
          guard density < sizes.densities else {
            table[first + density] = -1e30
            continue
          }
          var constant: Float = 0
          for index in 0..<width {
            let mean = means.values[start + density * width + index]
            let variance = max(variances.values[start + density * width + index], 1e-4)
            constant -= 0.5 * (logf(2 * .pi * variance) + mean * mean / variance)
            let place = first + blocks * 16 * (1 + 2 * index) + density
            table[place] = -0.5 / variance
            table[place + blocks * 16] = mean / variance
          }
          table[first + density] = constant
        }
        start += sizes.densities * width
        first += blocks * 16 * (1 + 2 * width)
      }
    }
    return [SIMD16<Float>](unsafeUninitializedCapacity: table.count / 16) { blocks, count in
      table.withUnsafeBytes { UnsafeMutableRawBufferPointer(blocks).copyMemory(from: $0) }
      count = table.count / 16
    }
  }

  /// Whether the states of a phone are mixtures of the same densities.
  private var sharesDensities: Bool { codebooks == 1 || codebooks == phones }

  private func codebook(phone: Int, senone: Int) -> Int {
    codebooks == 1 ? 0 : codebooks == phones ? phone : senone
  }

  private typealias Block = SIMD16<Float>
  private typealias Blocks = UnsafeMutablePointer<Block>

  /// The likelihoods of a stream's densities for two frames: the table of them all is larger than the
  /// processor's caches, so that reading it costs as much as using it.
  @inline(__always)
  private func densities(
    _ table: UnsafePointer<Block>, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    width: Int, into one: Blocks, _ other: Blocks
  ) {
    for block in 0..<blocks {
      var sum = table[block]
      var otherSum = sum
      var place = table + blocks + block
      for index in 0..<width {
        let (square, plain) = (place[0], place[blocks])
        let (value, otherValue) = (Block(repeating: first[index]), Block(repeating: second[index]))
        sum += value * (value * square + plain)
        otherSum += otherValue * (otherValue * square + plain)
        place += 2 * blocks
      }
      one[block] = sum
      other[block] = otherSum
    }
  }

  /// The likelihood of a mixture, taken for that of its likeliest density.
  @inline(__always)
  private func best(_ densities: Blocks, weight: (Int) -> Block) -> Float {
    var best = densities[0] + weight(0)
    for block in 1..<blocks {
      let sum = densities[block] + weight(block)
      best = best.replacing(with: sum, where: sum .> best)
    }
    return best.max()
  }

  /// How well each state of each phone fits two frames (which may be the same one), whatever phones
  /// are beside it.
  func scorePlainPhones(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>,
    into scores: UnsafeMutablePointer<Float>, _ otherScores: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: Block.self, capacity: 2 * blocks) { buffer in
      gaussians.withUnsafeBufferPointer { gaussians in
        plainWeights.withUnsafeBufferPointer { weights in
          guard let one = buffer.baseAddress, let table = gaussians.baseAddress,
            let weights = weights.baseAddress
          else { return }
          let other = one + blocks
          for phone in 0..<phones {
            let states = phone * states..<(phone + 1) * states
            for state in states { (scores[state], otherScores[state]) = (0, 0) }
            var start = 0
            for stream in streams.indices {
              for state in states {
                if state == states.lowerBound || !sharesDensities {
                  let senone = definition.plainSenones[phone][state - states.lowerBound]
                  densities(
                    table + codebook(phone: phone, senone: senone) * codebookLength
                      + streamStarts[stream], first + start, second + start,
                    width: streams[stream], into: one, other)
                }
                let own = weights + (state * streams.count + stream) * blocks
                scores[state] += best(one) { own[$0] }
                otherScores[state] += best(other) { own[$0] }
              }
              start += streams[stream]
            }
          }
        }
      }
    }
  }

  /// How well these senones of one phone fit a frame.
  func score(
    _ frame: UnsafePointer<Float>, phone: Int, senones: [Int],
    into scores: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: Block.self, capacity: 2 * blocks) { buffer in
      gaussians.withUnsafeBufferPointer { gaussians in
        guard let one = buffer.baseAddress, let table = gaussians.baseAddress else { return }
        for state in senones.indices { scores[state] = 0 }
        var start = 0
        for stream in streams.indices {
          for (state, senone) in senones.enumerated() {
            if state == 0 || !sharesDensities {
              densities(
                table + codebook(phone: phone, senone: senone) * codebookLength
                  + streamStarts[stream], frame + start, frame + start, width: streams[stream],
                into: one, one + blocks)
            }
            scores[state] += best(one) {
              weights.block($0, senone: senone, stream: stream)
            }
          }
          start += streams[stream]
        }
      }
    }
  }
}
