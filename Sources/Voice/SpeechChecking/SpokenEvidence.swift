import Foundation
import SpeechPocketSphinx

/// A word in the audio.
struct SpokenWord {
  /// The pronunciation that fits best.
  var phones: [String]
  var frames: Range<Int>
  /// Its possible pronunciations.
  var pronunciations: [[String]]
}

/// The evidence that words were spoken.
struct SpokenEvidence {
  let scores: PhoneScores
  /// The score of each frame if it is silence, a noise, or speech that belongs to no word.
  let others: [Float]

  /// The score by which speech that belongs to no word is worse than the best phones.
  private static let otherSpeech: Float = 1

  init(_ scores: PhoneScores) {
    self.scores = scores
    let width = scores.phones.count * scores.states
    let noises = scores.phones.values.filter(scores.isNoise).flatMap { phone in
      (0..<scores.states).map { phone * scores.states + $0 }
    }
    let values = scores.values
    others = (0..<scores.frameCount).map { frame in
      var best = scores.best(in: frame..<frame + 1) - Self.otherSpeech
      for column in noises { best = max(best, values[frame * width + column]) }
      return best
    }
  }

  /// True if a third of a second or more resembles phones rather than noises.
  var hasSpeech: Bool {
    let spoken = others.indices.count { frame in
      others[frame] <= scores.best(in: frame..<frame + 1) - Self.otherSpeech
    }
    return spoken >= 33
  }

  /// Finds words that are spoken in this order.
  ///
  /// - Parameter pronunciations: those of each word.
  /// - Returns: `nil` if the audio is too short for them.
  func words(_ pronunciations: [[[String]]]) -> [SpokenWord]? {
    alignment(of: pronunciations, in: 0..<scores.frameCount).map { alignment in
      zip(alignment.places, pronunciations).map { place, pronunciations in
        SpokenWord(
          phones: pronunciations[place.pronunciation], frames: place.frames,
          pronunciations: pronunciations)
      }
    }
  }

  func alignment(of words: [[[String]]], in frames: Range<Int>) -> WordAlignment? {
    WordAlignment(words, in: scores, frames, others: others)
  }

  // MARK: - Support

  // Fitted to read speech, clean and in noise at 20 to 5 dB, against sentences that recognisers
  // invent, in synthetic noises and music. At these thresholds no clean word of the fitted
  // recordings is lost.
  /// The gain of words over their decoys, in natural logarithms per frame, below which they were
  /// not spoken.
  private static let threshold = 0.6
  /// The same for a few words, whose gain varies more.
  private static let localThreshold = 0.25
  /// The number of words on each side that are judged together with a word.
  private static let neighbours = 2
  /// The number of frames by which the gain of short words is drawn to zero.
  private static let drawnFrames = 40

  /// The support of each word, from 0 to 1: 0.5 or more if it was spoken.
  ///
  /// A short word by itself fits some place in nearly any audio. What a recogniser invents it
  /// invents in audio without speech, so a word is judged together with those around it, and all of
  /// them together.
  func supports(of words: [SpokenWord]) -> [Double] {
    let whole = gain(of: words, 0..<words.count) - Self.threshold
    return words.indices.map { place in
      let around = max(0, place - Self.neighbours)..<min(words.count, place + Self.neighbours + 1)
      let local = gain(of: words, around) - Self.localThreshold
      return Self.logistic(4 * min(whole, local))
    }
  }

  /// The gain of a frame of these words over the better of their decoys, which have the same audio
  /// to fit into.
  private func gain(of words: [SpokenWord], _ range: Range<Int>) -> Double {
    let frames = free(around: range, in: words)
    let own = words[range].map(\.pronunciations)
    guard let score = alignment(of: own, in: frames)?.score else { return 0 }
    let decoys = PhoneDecoy.allCases.compactMap { decoy in
      alignment(of: own.map { $0.map(decoy.phones) }, in: frames)?.score
    }
    let spoken = words[range].reduce(Self.drawnFrames) { $0 + $1.frames.count }
    return decoys.max().map { Double(score - $0) / Double(spoken) } ?? 0
  }

  /// The frames between the words before and after these.
  func free(around range: Range<Int>, in words: [SpokenWord]) -> Range<Int> {
    let start = range.lowerBound > 0 ? words[range.lowerBound - 1].frames.upperBound : 0
    let end =
      range.upperBound < words.count
      ? words[range.upperBound].frames.lowerBound : scores.frameCount
    return start..<end
  }

  static func logistic(_ value: Double) -> Double { 1 / (1 + exp(-value)) }
}
