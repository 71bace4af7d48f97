import SpeechAudio

/// Takes the echo out of the events of one capture: events and times in, events out.
struct CaptureCleaner: ~Copyable {
  private var canceller: EchoCanceller
  private var converter: Resampler
  private let reference: PlaybackReference
  /// By how much the reference goes ahead of the microphone, in ticks.
  private let lead: Int
  private var timeline: CaptureTimeline
  /// Ticks for a frame of the device.
  private let ratio: Double
  /// Frames of the device that came, also lost ones.
  private var heard = 0
  /// Sound of the canceller's format that does not fill a frame of it yet, and the position at which it
  /// begins.
  private var pending: [Int16] = []
  private var position = 0
  /// How many frames of the canceller were made since its statistics were looked at.
  private var sinceStatistics = 0
  /// What the canceller knows of the echo.
  private(set) var statistics: EchoStatistics?

  init(
    canceller: consuming EchoCanceller, input: AudioFormat, reference: PlaybackReference,
    lead: Duration
  ) throws(AudioError) {
    self.lead = canceller.format.frames(in: lead)
    ratio = Double(canceller.format.sampleRate) / Double(input.sampleRate)
    timeline = CaptureTimeline(rate: canceller.format.sampleRate)
    converter = try Resampler(from: input, to: canceller.format)
    self.canceller = canceller
    self.reference = reference
  }

  /// Takes an event of the device, what the device has counted by then, and the time.
  mutating func process(
    _ event: AudioCaptureEvent, _ device: AudioStatistics, at tick: Double
  ) throws(AudioError) -> [AudioCaptureEvent] {
    switch event {
    case .audio(let buffer):
      heard += buffer.frameCount
      // A reader who comes late finds more than one event, and the device has counted them all.
      timeline.observe(frames: Double(max(heard, device.frames)) * ratio, at: tick)
      pending += try converter.process(buffer).samples
      // What will be played by then is known when it has been, and not before.
      let known = Int(tick) - lead - timeline.tick(of: position)
      return try clean(upTo: max(known, 0), delay: device.latency)
    case .gap(let frames):
      // Both sides leave it out, so that what the canceller has learnt stays true.
      let events = try flush(delay: device.latency)
      heard += frames
      let before = position
      position = Int((Double(heard) * ratio).rounded())
      return events + [.gap(frames: position - before)]
    case .interrupted:
      return try flush(delay: device.latency) + [event]
    case .resumed:
      let events = try flush(delay: device.latency)
      // It may be another device, in another place, with another delay.
      try canceller.reset()
      timeline = CaptureTimeline(rate: canceller.format.sampleRate)
      return events + [event]
    }
  }

  /// Gives the rest.
  mutating func finish() throws(AudioError) -> [AudioCaptureEvent] { try flush(delay: .zero) }

  /// Cleans what fills whole frames, and no more than so much.
  private mutating func clean(
    upTo limit: Int, delay: Duration
  ) throws(AudioError) -> [AudioCaptureEvent] {
    let length = canceller.frameLength
    // No time is known to a millisecond; a bit too much asked for is silence.
    let whole = min(pending.count, limit + length / 2) / length * length
    guard whole > 0 else { return [] }
    var result = PCMBuffer(format: canceller.format)
    for start in stride(from: 0, to: whole, by: length) {
      let sound = PCMBuffer(
        samples: pending[start..<start + length], format: canceller.format)
      let played = reference.sound(from: timeline.tick(of: position) + lead, count: length)
      try canceller.analyse(playback: played)
      result.append(try canceller.process(sound, delay: delay))
      position += length
      sinceStatistics += 1
    }
    pending.removeFirst(whole)
    if sinceStatistics >= 100 {
      sinceStatistics = 0
      statistics = canceller.statistics
    }
    return [.audio(result)]
  }

  /// Cleans all there is, filling the last frame up for the canceller only.
  private mutating func flush(delay: Duration) throws(AudioError) -> [AudioCaptureEvent] {
    pending += converter.finish().samples
    let rest = pending.count % canceller.frameLength
    guard rest > 0 else { return try clean(upTo: pending.count, delay: delay) }
    let surplus = canceller.frameLength - rest
    pending += [Int16](repeating: 0, count: surplus)
    guard case .audio(let sound)? = try clean(upTo: pending.count, delay: delay).first else {
      return []
    }
    position -= surplus
    return [.audio(sound.slice(0..<sound.frameCount - surplus))]
  }
}
