import SpeechAudio

/// What a capture has to tell and nobody has read yet: bounded, the oldest goes first.
///
/// Sound that had to go, or that never came, is told as one gap before what follows.
struct CaptureBacklog {
  /// How many frames are kept.
  private let capacity: Int
  /// How many events are kept; only reached when a device comes and goes with nobody reading.
  private let mostEvents: Int
  private var events: [AudioCaptureEvent] = []
  private var head = 0
  private var frames = 0
  /// Frames missing before the oldest event.
  private var missing = 0
  /// How many frames were lost so far, by whatever cause, and on how many occasions.
  private(set) var lostFrames = 0
  private(set) var dropouts = 0

  init(capacity: Int, mostEvents: Int = 4_096) {
    self.capacity = capacity
    self.mostEvents = mostEvents
  }

  /// Adds an event behind the others.
  mutating func append(_ event: AudioCaptureEvent) {
    switch event {
    case .audio(let buffer):
      guard !buffer.isEmpty else { return }
      frames += buffer.frameCount
    case .gap(let lost):
      guard lost > 0 else { return }
      lostFrames += lost
      dropouts += 1
      if case .gap(let before)? = events[head...].last {
        events[events.count - 1] = .gap(frames: before + lost)
        return
      }
    case .interrupted, .resumed:
      break
    }
    events.append(event)
    while frames > capacity || events.count - head > mostEvents { dropOldest() }
  }

  /// Takes the oldest event.
  mutating func next() -> AudioCaptureEvent? {
    if missing > 0 {
      defer { missing = 0 }
      if case .gap(let lost)? = events[head...].first {
        takeHead()
        return .gap(frames: lost + missing)
      }
      return .gap(frames: missing)
    }
    guard head < events.count else { return nil }
    return takeHead()
  }

  @discardableResult
  private mutating func takeHead() -> AudioCaptureEvent {
    let event = events[head]
    if case .audio(let buffer) = event { frames -= buffer.frameCount }
    head += 1
    if head == events.count {
      events.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 256, head * 2 > events.count {
      events.removeFirst(head)
      head = 0
    }
    return event
  }

  private mutating func dropOldest() {
    switch takeHead() {
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
