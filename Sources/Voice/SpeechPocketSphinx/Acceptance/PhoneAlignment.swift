import CPhoneScores

/// The alignment of the phones of a word with its frames.
struct PhoneAlignment {
  struct Phone {
    var frames: Range<Int>
    /// The score of the phone in its context.
    var score: Float
  }

  let phones: [Phone]

  /// - Parameters:
  ///   - states: the number of states of a phone.
  ///   - scores: for each frame those of the states of all phones, in their order.
  /// - Returns: `nil` if there are fewer frames than states, or not enough memory.
  init?(phones count: Int, states: Int, frames: Range<Int>, scores: [Float]) {
    let width = count * states
    guard width > 0, frames.count >= width, scores.count == width * frames.count else {
      return nil
    }
    var path = [Int32](repeating: 0, count: frames.count)
    guard skph_align(scores, Int32(frames.count), Int32(width), &path) == 0 else { return nil }
    var phones: [Phone] = []
    var start = 0
    for phone in 0..<count {
      var end = start
      var score: Float = 0
      while end < path.count, Int(path[end]) / states == phone {
        score += scores[end * width + Int(path[end])]
        end += 1
      }
      phones.append(
        Phone(frames: frames.lowerBound + start..<frames.lowerBound + end, score: score))
      start = end
    }
    self.phones = phones
  }
}
