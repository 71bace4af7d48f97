import SpeechConcurrency

extension Speaker {
  /// Returns different speakers of English: first each voice in its own manner, then the voices at
  /// other rates and pitches. Equal seeds give equal speakers.
  ///
  /// ```swift
  /// let speakers = Speaker.cast(12, seed: 1)
  /// ```
  /// - Parameters:
  ///   - count: The number of speakers; fewer are returned if no more differ.
  ///   - engines: The engines of the voices, in turn. By default without eSpeak, whose speakers say
  /// more about eSpeak than about a grammar.
  public static func cast(
    _ count: Int, engines: [Engine] = [.flite], seed: UInt64
  ) -> [Speaker] {
    var queues = engines.map { engine -> ArraySlice<Speaker> in
      var random = SeededNumbers(seed: seed, part: engine.rawValue)
      return speakers(of: engine, using: &random)[...]
    }
    var chosen: [Speaker] = []
    while chosen.count < count, queues.contains(where: { !$0.isEmpty }) {
      for index in queues.indices where chosen.count < count {
        if let next = queues[index].popFirst() { chosen.append(next) }
      }
    }
    return chosen
  }

  private static func speakers(
    of engine: Engine, using random: inout SeededNumbers
  ) -> [Speaker] {
    let manners = manners.flatMap { rate in pitches.map { (rate: rate, pitch: $0) } }
    if engine == .espeak {
      let named = accents.flatMap { accent in variants.map { accent + $0 } }
        .shuffled(using: &random)
      return named.map { voice in
        let manner = manners[random.next(manners.count)]
        return Speaker(.espeak, voice: voice, rate: manner.rate, pitch: manner.pitch)
      }
    }
    // An engine that is not known here speaks with its default voice.
    let voices = engine == .flite ? fliteVoices : [""]
    let plain = voices.map { Speaker(engine, voice: $0) }
    let others = voices.flatMap { voice in
      manners.map { Speaker(engine, voice: voice, rate: $0.rate, pitch: $0.pitch) }
    }
    return plain + others.shuffled(using: &random).filter { !plain.contains($0) }
  }

  private static let fliteVoices = ["slt", "rms", "awb", "kal"]
  /// Four fifths of the voice's own rate, its own rate, and a quarter more.
  private static let manners: [Float] = [0.3, 0.5, 0.58]
  private static let pitches: [Float] = [0.92, 1, 1.08]
  private static let accents = ["en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029"]
  private static let variants = [
    "", "+m1", "+m2", "+m3", "+m4", "+m7", "+f1", "+f2", "+f3", "+f4", "+f5",
  ]
}
