/// The best sequence of any phones for some sound: what it might be if it need not be a sentence.
struct PhoneLoop {
  /// How well each frame fits each state of each phone.
  let scores: [Float]
  /// How many states a phone has, and how many there are in all.
  let states: Int
  let stateCount: Int
  /// The score of the best sequence up to and with each frame.
  let best: [Float]
  /// The phones of the best sequence.
  let segments: [Segment]

  struct Segment {
    var phone: Int
    var frames: Range<Int>
  }

  /// What going on to another phone costs, so that not every frame is one of its own.
  static let phonePenalty: Float = -4

  init(_ features: Features, model: PhoneModel) {
    let (phones, states) = (model.phones, model.states)
    let count = phones * states
    self.states = states
    stateCount = count
    var scores = [Float](repeating: 0, count: features.frameCount * count)
    features.values.withUnsafeBufferPointer { values in
      scores.withUnsafeMutableBufferPointer { scores in
        guard let values = values.baseAddress, let scores = scores.baseAddress else { return }
        for frame in stride(from: 0, to: features.frameCount, by: 2) {
          let next = min(frame + 1, features.frameCount - 1)
          model.scorePlainPhones(
            values + frame * features.width, values + next * features.width,
            into: scores + frame * count, scores + next * count)
        }
      }
    }
    self.scores = scores

    var tokens = [Float](repeating: -1e30, count: count)
    var entries = [Int32](repeating: 0, count: count)
    var best: [Float] = []
    var exits: [(phone: Int, start: Int)] = []
    var exit: Float = 0
    for frame in 0..<features.frameCount {
      let entry = exit + (frame == 0 ? 0 : Self.phonePenalty)
      var top: Float = -1e30
      var end: (score: Float, phone: Int, start: Int) = (-1e30, 0, frame)
      scores.withUnsafeBufferPointer { scores in
        tokens.withUnsafeMutableBufferPointer { tokens in
          entries.withUnsafeMutableBufferPointer { entries in
            let own = frame * count
            for phone in 0..<phones {
              let first = phone * states
              var state = first + states - 1
              while state > first {
                if tokens[state - 1] > tokens[state] {
                  tokens[state] = tokens[state - 1]
                  entries[state] = entries[state - 1]
                }
                tokens[state] += scores[own + state]
                if tokens[state] > top { top = tokens[state] }
                state -= 1
              }
              if entry > tokens[first] {
                tokens[first] = entry
                entries[first] = Int32(frame)
              }
              tokens[first] += scores[own + first]
              if tokens[first] > top { top = tokens[first] }
              let last = first + states - 1
              if tokens[last] > end.score {
                end = (tokens[last], phone, Int(entries[last]))
              }
            }
          }
        }
      }
      best.append(top)
      exit = end.score
      exits.append((end.phone, end.start))
    }
    self.best = best

    var segments: [Segment] = []
    var frame = features.frameCount - 1
    while frame >= 0 {
      let start = min(exits[frame].start, frame)
      segments.append(Segment(phone: exits[frame].phone, frames: start..<frame + 1))
      frame = start - 1
    }
    self.segments = segments.reversed()
  }

  /// The score of the best sequence within these frames.
  func score(of frames: Range<Int>) -> Float {
    guard !frames.isEmpty else { return 0 }
    return best[frames.upperBound - 1] - (frames.lowerBound > 0 ? best[frames.lowerBound - 1] : 0)
  }
}

extension PhoneLoop {
  /// The score of the phone that fits these frames best.
  func bestPhone(in frames: Range<Int>) -> Float {
    var best: Float = -1e30
    for phone in 0..<stateCount / states {
      var tokens = [Float](repeating: -1e30, count: states)
      for frame in frames {
        for state in stride(from: states - 1, through: 0, by: -1) {
          if state > 0 { tokens[state] = max(tokens[state], tokens[state - 1]) }
          if frame == frames.lowerBound { tokens[state] = state == 0 ? 0 : -1e30 }
          tokens[state] += scores[frame * stateCount + phone * states + state]
        }
      }
      best = max(best, tokens[states - 1])
    }
    return best
  }
}

/// What the library computes from sound for its acoustic model: numbers for each frame.
struct Features {
  let values: [Float]
  let width: Int

  var frameCount: Int { width == 0 ? 0 : values.count / width }
}
