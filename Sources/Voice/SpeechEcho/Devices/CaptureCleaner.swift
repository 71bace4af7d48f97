import SpeechAudio

/// Removes the echo from the events of one capture: events and times in, events out.
struct CaptureCleaner: ~Copyable {
  private var canceller: EchoCanceller
  private var converter: Resampler
  private let reference: PlaybackReference
  /// The lead of the reference over the microphone, in ticks.
  private let lead: Int
  private var timeline: CaptureTimeline
  /// Ticks per frame of the device.
  private let ratio: Double
  /// The frames that the device delivered, including lost ones.
  private var heard = 0
  /// Audio in the canceller's format that does not fill a frame yet, and the position at which it
  /// begins.
  private var pending: [Int16] = []
  private var position = 0
  /// The canceller's frames since its statistics were read.
  private var sinceStatistics = 0
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

  /// Processes an event of the device, with the device's frame count and the time at which it was
  /// read.
  mutating func process(
    _ event: AudioCaptureEvent, _ device: AudioStatistics, at tick: Double
  ) throws(AudioError) -> [AudioCaptureEvent] {
    switch event {
    case .audio(let buffer):
      heard += buffer.frameCount
      // A late reader finds more than one event, and the device has counted all of them.
      timeline.observe(frames: Double(max(heard, device.frames)) * ratio, at: tick)
      pending += try converter.process(buffer).samples
      // The playback is known only up to the present.
      let known = Int(tick) - lead - timeline.tick(of: position)
      return try clean(upTo: max(known, 0), delay: device.latency)
    case .gap(let frames):
      // Both sides omit the gap, so that the canceller's filter stays valid.
      let events = try flush(delay: device.latency)
      heard += frames
      let before = position
      position = Int((Double(heard) * ratio).rounded())
      return events + [.gap(frames: position - before)]
    case .interrupted:
      return try flush(delay: device.latency) + [event]
    case .resumed:
      let events = try flush(delay: device.latency)
      // It may be a different device, in a different place, with a different delay.
      try canceller.reset()
      timeline = CaptureTimeline(rate: canceller.format.sampleRate)
      return events + [event]
    }
  }

  /// Returns the remaining audio.
  mutating func finish() throws(AudioError) -> [AudioCaptureEvent] { try flush(delay: .zero) }

  /// Processes whole frames, up to a limit.
  private mutating func clean(
    upTo limit: Int, delay: Duration
  ) throws(AudioError) -> [AudioCaptureEvent] {
    let length = canceller.frameLength
    // No time is exact to a millisecond; a reference that is requested slightly too early is
    // silence.
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

  /// Processes everything that is pending, and pads the last frame for the canceller only.
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
