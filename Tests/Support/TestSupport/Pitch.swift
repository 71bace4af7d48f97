import SpeechAudio

/// The mean pitch of the voiced parts in hertz, by autocorrelation.
public func pitch(_ audio: PCMBuffer) -> Double {
  let rate = audio.format.sampleRate
  let window = rate / 25
  var pitches: [Double] = []
  for start in stride(from: 0, to: audio.frameCount - 2 * window, by: window) {
    let frame = audio.samples[start..<start + 2 * window].map { Double($0) }
    let energy = frame.prefix(window).reduce(0) { $0 + $1 * $1 }
    guard energy / Double(window) > 1e6 else { continue }
    var best = (lag: 0, value: 0.0)
    for lag in rate / 400...rate / 55 {
      var sum = 0.0
      var other = 1.0
      for index in 0..<window where index + lag < frame.count {
        sum += frame[index] * frame[index + lag]
        other += frame[index + lag] * frame[index + lag]
      }
      let value = sum / (energy * other).squareRoot()
      if value > best.value + 0.02 { best = (lag, value) }
    }
    if best.value > 0.7 { pitches.append(Double(rate) / Double(best.lag)) }
  }
  return pitches.sorted().dropFirst(pitches.count / 2).first ?? 0
}
