/// The phones of a word, laid over the frames in which it was heard.
struct PhoneAlignment {
  struct Phone {
    var phone: Int
    var frames: Range<Int>
    /// How well it fits there between its neighbours.
    var score: Float
  }

  let phones: [Phone]

  /// - Parameter states: the scores of the states, one behind the other, for each frame in turn.
  init(
    _ word: [Int], states: Int, frames: Range<Int>, scores: [Float]
  ) {
    let count = word.count * states
    guard frames.count >= count, count > 0 else {
      // Too short for its phones; they share the frames.
      phones = []
      return
    }
    var tokens = [Float](repeating: -1e30, count: count)
    var came = [Bool](repeating: false, count: frames.count * count)
    for frame in frames.indices.map({ $0 - frames.lowerBound }) {
      for state in stride(from: count - 1, through: 0, by: -1) {
        if state > 0, tokens[state - 1] > tokens[state] {
          tokens[state] = tokens[state - 1]
          came[frame * count + state] = true
        }
        if frame == 0 { tokens[state] = state == 0 ? 0 : -1e30 }
        tokens[state] += scores[frame * count + state]
      }
    }
    var ends = [Int](repeating: frames.count, count: word.count + 1)
    ends[0] = 0
    var totals = [Float](repeating: 0, count: word.count)
    var state = count - 1
    for frame in stride(from: frames.count - 1, through: 0, by: -1) {
      totals[state / states] += scores[frame * count + state]
      guard frame > 0, came[frame * count + state] else { continue }
      if state % states == 0 { ends[state / states] = frame }
      state -= 1
    }
    phones = word.indices.map { index in
      Phone(
        phone: word[index],
        frames: frames.lowerBound + ends[index]..<frames.lowerBound + ends[index + 1],
        score: totals[index])
    }
  }
}
