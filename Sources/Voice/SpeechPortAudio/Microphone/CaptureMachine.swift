import SpeechAudio

/// The states of a capture, without side effects: audio and time in, events and actions out.
struct CaptureMachine {
  /// The values of the callback's counters.
  struct Progress {
    var delivered: Int
    var dropped: Int
    var hasFinished: Bool
  }

  private enum Phase: Equatable {
    /// Audio is delivered.
    case running
    /// The device is lost.
    case away
    /// The device was opened again and has not delivered yet.
    case returning
    case stopped
  }

  let format: AudioFormat
  private let deviceName: String
  private var phase = Phase.running
  private(set) var backlog: CaptureBacklog
  private var clock: CaptureClock
  private var watchdog: StreamWatchdog
  private var schedule: ReopenSchedule
  private var dropped = 0
  private var delivered = 0
  /// The time of the device's last delivery.
  private var lastProgress: Int
  /// The number of frames captured so far.
  private(set) var frames = 0

  init(format: AudioFormat, deviceName: String, backlog: Duration, now: Int) {
    self.format = format
    self.deviceName = deviceName
    self.backlog = CaptureBacklog(capacity: format.frames(in: backlog))
    clock = CaptureClock(sampleRate: format.sampleRate)
    watchdog = StreamWatchdog(now: now)
    schedule = ReopenSchedule(now: now)
    lastProgress = now
  }

  /// True if no more audio will come.
  var isStopped: Bool { phase == .stopped }

  /// Processes the samples that were read from the ring since the last call, and the counters that
  /// were read after that.
  mutating func tick(_ samples: [[Int16]], _ progress: Progress, now: Int) -> StreamAction? {
    switch phase {
    case .stopped:
      return nil
    case .away:
      return schedule.begins(now: now) ? .reopen : nil
    case .running, .returning:
      break
    }
    if phase == .returning, progress.delivered > 0 {
      phase = .running
      let missed = Double(now - lastProgress) / 1e9 * Double(format.sampleRate)
      backlog.append(.gap(frames: Int(missed) - progress.delivered))
      backlog.append(.resumed)
    }
    for piece in samples { hear(piece) }
    if progress.dropped > dropped {
      backlog.append(.gap(frames: progress.dropped - dropped))
      dropped = progress.dropped
    }
    if progress.delivered > delivered {
      delivered = progress.delivered
      lastProgress = now
    }
    backlog.append(.gap(frames: clock.missing(delivered: delivered, now: now)))

    let isLost = watchdog.isLost(progress: progress.delivered, now: now)
    guard isLost || progress.hasFinished else { return nil }
    if phase == .running {
      let reason =
        progress.hasFinished ? "its stream ended" : "it has stopped delivering sound"
      backlog.append(.interrupted(.deviceLost(name: deviceName, reason: reason)))
      schedule = ReopenSchedule(now: now)
    } else {
      schedule.failed(now: now)
    }
    phase = .away
    return .letGo
  }

  /// Continues with a device that was opened again. Returns false if it is no longer wanted.
  mutating func reopened(now: Int) -> Bool {
    guard phase == .away else { return false }
    phase = .returning
    clock = CaptureClock(sampleRate: format.sampleRate)
    watchdog = StreamWatchdog(now: now)
    dropped = 0
    delivered = 0
    return true
  }

  /// Records that the device could not be opened again yet.
  mutating func reopenFailed(now: Int) {
    schedule.failed(now: now)
  }

  /// Ends the capture, with the audio that was still in the ring.
  mutating func stop(_ samples: [[Int16]]) {
    guard phase != .stopped else { return }
    if phase == .running { for piece in samples { hear(piece) } }
    phase = .stopped
  }

  mutating func next() -> AudioCaptureEvent? { backlog.next() }

  private mutating func hear(_ samples: [Int16]) {
    frames += samples.count
    backlog.append(.audio(PCMBuffer(samples: samples, format: format)))
  }
}
