import CPhoneScores
import Foundation
import SpeechConcurrency
import SpeechCore

/// The acoustic model in a form that scores all phones for any audio.
///
/// The library scores only the phones that its search considers, and each frame relative to the
/// best of them, so its scores say nothing about alternatives. Here all phones are scored on one
/// scale, in natural logarithms.
struct PhoneModel: Sendable {
  let definition: PhoneDefinition
  private let gaussians: GaussianTable
  private let weights: MixtureWeights
  /// The states of all phones without context.
  private let plainStates: States

  var phones: Int { definition.phones.count }
  var states: Int { definition.states }
  /// The number of values of a frame.
  var width: Int { gaussians.sizes.streams.reduce(0, +) }

  /// States, each with its codebook and the weights of its densities.
  struct States: Sendable {
    fileprivate var codebooks: [Int32]
    fileprivate var weights: [Float]

    var count: Int { codebooks.count }
  }

  /// The latest models, the newest first: a program has one or two, of some megabytes.
  private static let known = Guarded<[(stamps: Set<FileStamp>, model: PhoneModel)]>(
    [])
  private static let remembered = 2

  /// The model of that folder, which all decoders share.
  static func shared(folder: URL) throws(SpeechRecognitionError) -> PhoneModel {
    let stamps = AcousticModelCheck.stamps(in: folder)
    if let known = known.withLock({ $0.first { $0.stamps == stamps } }) { return known.model }
    let model = try PhoneModel(folder: folder)
    known.withLock {
      $0.removeAll { $0.stamps == stamps }
      $0 = Array(([(stamps, model)] + $0).prefix(remembered))
    }
    return model
  }

  /// The maximum number of weights; no real model has more.
  private static let mostWeights = 16_000_000

  init(folder: URL) throws(SpeechRecognitionError) {
    definition = try PhoneDefinition(folder.appendingPathComponent("mdef"))
    gaussians = try GaussianTable(folder: folder)
    let sizes = gaussians.sizes
    let kinds = [1, definition.phones.count, definition.senones]
    guard kinds.contains(sizes.codebooks), sizes.densities <= 65_536 else {
      throw ModelFileReader.broken(
        folder.appendingPathComponent("means"), "its sizes do not fit the mdef")
    }
    weights = try MixtureWeights(folder: folder, senones: definition.senones, gaussians: sizes)
    let senones = definition.plainSenones
    guard weights.length <= Self.mostWeights / (senones.count * definition.states) else {
      throw ModelFileReader.broken(
        folder.appendingPathComponent("means"), "its sizes are absurd")
    }
    plainStates = Self.states(
      Array(senones.indices), senones, definition: definition, gaussians: sizes, weights: weights)
  }

  private static func states(
    _ phones: [Int], _ senones: [[Int]], definition: PhoneDefinition, gaussians: GaussianSizes,
    weights: MixtureWeights
  ) -> States {
    let all = Array(senones.joined())
    let codebooks = zip(phones, senones).flatMap { phone, senones in
      senones.map { senone in
        switch gaussians.codebooks {
        case 1: Int32(0)
        case definition.phones.count: Int32(phone)
        default: Int32(senone)
        }
      }
    }
    return States(codebooks: codebooks, weights: weights.gathered(all))
  }

  /// The states of these phones with those senones.
  func states(of phones: [Int], senones: [[Int]]) -> States {
    Self.states(
      phones, senones, definition: definition, gaussians: gaussians.sizes, weights: weights)
  }

  /// The score of each state of each phone without context for the frames; `nil` if they do not fit
  /// the model, or there are too many for the memory.
  func scores(_ features: Features) -> [Float]? {
    scores(plainStates, features, 0..<features.frameCount)
  }

  /// The scores of these states for some of the frames: for each frame all of them.
  func scores(_ states: States, _ features: Features, _ frames: Range<Int>) -> [Float]? {
    guard features.width == width, frames.upperBound <= features.frameCount else { return nil }
    let count = states.count * frames.count
    var code: Int32 = -1
    let scores = [Float](unsafeUninitializedCapacity: count) { scores, filled in
      states.codebooks.withUnsafeBufferPointer { codebooks in
        states.weights.withUnsafeBufferPointer { weights in
          gaussians.numbers.withUnsafeBufferPointer { numbers in
            gaussians.widths.withUnsafeBufferPointer { widths in
              features.values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                var mixtures = skph_states(
                  gaussians: numbers.baseAddress, widths: widths.baseAddress,
                  streams: Int32(widths.count), densities: Int32(gaussians.sizes.densities),
                  count: Int32(states.count), codebooks: codebooks.baseAddress,
                  weights: weights.baseAddress)
                code = skph_score(
                  &mixtures, values + frames.lowerBound * features.width, Int32(frames.count),
                  scores.baseAddress)
              }
            }
          }
        }
      }
      filled = code < 0 ? 0 : count
    }
    return code < 0 ? nil : scores
  }
}
