import CPhoneScores

/// The best sequence of any phones for some audio: its reading without the constraint of a grammar.
struct PhoneLoop {
  /// The score of each state of each phone for each frame.
  let scores: [Float]
  private let phones: Int
  private let states: Int
  /// The score of the best sequence up to and including each frame.
  private let best: [Float]
  /// The phones of the best sequence.
  let segments: [Segment]

  struct Segment {
    var phone: Int
    var frames: Range<Int>
  }

  /// The penalty for a transition to another phone, which keeps phones from lasting a single frame.
  static let phonePenalty: Float = -4

  /// `nil` if the features do not fit the model, or there is not enough memory.
  init?(_ features: Features, model: PhoneModel) {
    let frames = features.frameCount
    guard frames > 0, let scores = model.scores(features) else { return nil }
    (self.scores, phones, states) = (scores, model.phones, model.states)
    var best = [Float](repeating: 0, count: frames)
    var ended = [Int32](repeating: 0, count: frames)
    var starts = [Int32](repeating: 0, count: frames)
    let code = skph_loop(
      scores, Int32(frames), Int32(model.phones), Int32(model.states), Self.phonePenalty, &best,
      &ended, &starts)
    guard code == 0 else { return nil }
    self.best = best

    var segments: [Segment] = []
    var frame = frames - 1
    while frame >= 0 {
      let start = min(Int(starts[frame]), frame)
      segments.append(Segment(phone: Int(ended[frame]), frames: start..<frame + 1))
      frame = start - 1
    }
    self.segments = segments.reversed()
  }

  /// The score of the best sequence within these frames.
  func score(of frames: Range<Int>) -> Float {
    guard !frames.isEmpty else { return 0 }
    return best[frames.upperBound - 1] - (frames.lowerBound > 0 ? best[frames.lowerBound - 1] : 0)
  }

  /// The score of the phone that fits these frames best.
  func bestPhone(in frames: Range<Int>) -> Float {
    scores.withUnsafeBufferPointer { scores in
      guard let start = scores.baseAddress else { return 0 }
      return skph_best_phone(
        start + frames.lowerBound * phones * states, Int32(frames.count), Int32(phones),
        Int32(states))
    }
  }
}
