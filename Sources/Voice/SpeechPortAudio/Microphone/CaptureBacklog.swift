import SpeechAudio

/// The unread events of a capture. It is bounded, and drops the oldest first.
///
/// Audio that was dropped or never delivered is reported as one gap before the next event.
struct CaptureBacklog {
  /// The maximum number of frames.
  private let capacity: Int
  /// The maximum number of events; only reached when a device is lost and found repeatedly without
  /// a reader.
  private let maximumEvents: Int
  private var events: [AudioCaptureEvent] = []
  private var frames = 0
  /// The frames missing before the oldest event.
  private var missing = 0
  /// The number of frames lost so far, by any cause, and the number of losses.
  private(set) var lostFrames = 0
  private(set) var dropouts = 0

  init(capacity: Int, maximumEvents: Int = 4_096) {
    self.capacity = capacity
    self.maximumEvents = maximumEvents
  }

  mutating func append(_ event: AudioCaptureEvent) {
    switch event {
    case .audio(let buffer):
      guard !buffer.isEmpty else { return }
      frames += buffer.frameCount
    case .gap(let lost):
      guard lost > 0 else { return }
      lostFrames += lost
      dropouts += 1
      if case .gap(let before)? = events.last {
        events[events.count - 1] = .gap(frames: before + lost)
        return
      }
    case .interrupted, .resumed:
      break
    }
    events.append(event)
    while frames > capacity || events.count > maximumEvents { dropOldest() }
  }

  mutating func next() -> AudioCaptureEvent? {
    if missing > 0 {
      defer { missing = 0 }
      if case .gap(let lost)? = events.first {
        events.removeFirst()
        return .gap(frames: lost + missing)
      }
      return .gap(frames: missing)
    }
    return events.isEmpty ? nil : takeFirst()
  }

  private mutating func takeFirst() -> AudioCaptureEvent {
    let event = events.removeFirst()
    if case .audio(let buffer) = event { frames -= buffer.frameCount }
    return event
  }

  private mutating func dropOldest() {
    switch takeFirst() {
    case .audio(let buffer):
      if missing == 0 { dropouts += 1 }
      missing += buffer.frameCount
      lostFrames += buffer.frameCount
    case .gap(let lost):
      missing += lost
    case .interrupted, .resumed:
      break
    }
  }
}
