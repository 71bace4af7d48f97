import CFlite

/// The library's result for one piece of text, freed with its owner.
struct FliteUtterance: ~Copyable {
  /// A token of the text, with its first sample.
  struct Token: Sendable, Equatable {
    var text: String
    var start: Int
  }

  private let utterance: UnsafeMutablePointer<cst_utterance>

  /// Synthesises a text without zero bytes; `nil` if the library fails. Only for the library's own
  /// queue.
  init?(_ text: String, voice: UnsafeMutablePointer<cst_voice>) {
    guard let utterance = text.withCString({ speechkit_flite_synthesize($0, voice) }) else {
      return nil
    }
    self.utterance = utterance
  }

  deinit {
    delete_utterance(utterance)
  }

  /// Samples per second.
  var sampleRate: Int {
    speechkit_flite_wave(utterance).map { Int($0.pointee.sample_rate) } ?? 0
  }

  /// Returns the samples, scaled by a factor.
  func samples(volume: Float) -> [Int16] {
    guard let wave = speechkit_flite_wave(utterance), let start = wave.pointee.samples else {
      return []
    }
    let count = max(0, Int(wave.pointee.num_samples))
    let samples = UnsafeBufferPointer(start: start, count: count)
    if volume == 1 { return Array(samples) }
    return samples.map { Int16(clamping: Int((Float($0) * volume).rounded())) }
  }

  /// The spoken tokens of the text, in order.
  var tokens: [Token] {
    var tokens: [Token] = []
    let rate = Float(sampleRate)
    var item = speechkit_flite_first_token(utterance)
    while let token = item {
      item = item_next(token)
      var start: Float = 0
      var end: Float = 0
      guard speechkit_flite_token_times(token, &start, &end) != 0,
        let name = flite_ffeature_string(token, "name")
      else { continue }
      tokens.append(
        Token(text: String(cString: name), start: max(0, Int((start * rate).rounded()))))
    }
    return tokens
  }
}
