import CWordAlignment
import SpeechPocketSphinx

/// The places of words in audio.
struct WordAlignment {
  struct Place {
    var frames: Range<Int>
    /// The number of the pronunciation.
    var pronunciation: Int
    /// The score of the frames of the word.
    var score: Float
  }

  let places: [Place]
  /// The score of all frames, with those outside of the words.
  let score: Float

  /// The maximum number of frames times words, which takes 12 bytes each.
  private static let mostSteps = 4_000_000

  /// True if words of that number can be aligned with the audio.
  static func isPossible(words: Int, frames: Int) -> Bool {
    words > 0 && (words + 1) * frames <= mostSteps
  }

  /// - Parameters:
  ///   - words: the pronunciations of each word, of which each has at least one.
  ///   - others: the score of each frame if it belongs to no word.
  /// - Returns: `nil` if the words do not fit into the frames, or memory is exhausted.
  init?(
    _ words: [[[String]]], in scores: PhoneScores, _ frames: Range<Int>, others: [Float]
  ) {
    guard Self.isPossible(words: words.count, frames: frames.count) else { return nil }
    var pronunciations: [Int32] = []
    var states: [Int32] = []
    var columns: [Int32] = []
    for word in words {
      for phones in word {
        for phone in phones {
          guard let number = scores.phones[phone] else { return nil }
          for state in 0..<scores.states { columns.append(Int32(number * scores.states + state)) }
        }
        states.append(Int32(columns.count))
      }
      pronunciations.append(Int32(states.count))
    }
    let width = scores.phones.count * scores.states
    var found = [skwa_place](repeating: skwa_place(), count: words.count)
    var score: Float = 0
    let code = pronunciations.withUnsafeBufferPointer { pronunciations in
      states.withUnsafeBufferPointer { states in
        columns.withUnsafeBufferPointer { columns in
          scores.values.withUnsafeBufferPointer { values in
            others.withUnsafeBufferPointer { others in
              guard let values = values.baseAddress, let others = others.baseAddress else {
                return Int32(-1)
              }
              var list = skwa_words(
                count: Int32(words.count), pronunciations: pronunciations.baseAddress,
                states: states.baseAddress, columns: columns.baseAddress)
              return skwa_align(
                &list, values + frames.lowerBound * width, Int32(frames.count), Int32(width),
                others + frames.lowerBound, &found, &score)
            }
          }
        }
      }
    }
    guard code == 0 else { return nil }
    self.score = score
    places = found.map { place in
      Place(
        frames: frames.lowerBound + Int(place.start)..<frames.lowerBound + Int(place.end),
        pronunciation: Int(place.pronunciation), score: place.score)
    }
  }
}
