import SpeechAudio

/// The states of a playback, without side effects: audio, requests and time in, answers and actions
/// out. It counts frames of the device.
struct PlaybackMachine {
  /// A condition that a caller waits for.
  enum Wish: Equatable {
    /// The device can accept more audio.
    case room
    /// That number of frames has been heard.
    case heard(Int)
    /// Everything has been heard.
    case end
  }

  enum Answer: Equatable {
    case fulfilled
    case cancelled
    case failed(AudioError)
  }

  private enum Phase: Equatable {
    case running
    /// The device is lost, and its return is awaited until then.
    case away(until: Int)
    case ended(Answer)
  }

  private let deviceName: String
  /// The number of frames that may wait for the device.
  private let target: Int
  private let returnTimeout: Int
  private var phase = Phase.running
  /// The time until which a lost device is awaited; postponed only by a device that has played
  /// again.
  private var deadline: Int?
  private var watchdog: StreamWatchdog
  private var schedule: ReopenSchedule
  private var callbacks = 0
  private var ledger = PlaybackLedger()
  /// The first frame of the current stream, and the number of frames that it has taken.
  private var streamStart = 0
  private var taken = 0
  private var isFinishing = false
  private(set) var isHeld = false
  /// The time of the device's last request for audio.
  private(set) var lastProgress: Int

  init(deviceName: String, target: Int, returnTimeout: Duration, now: Int) {
    self.deviceName = deviceName
    self.target = max(1, target)
    self.returnTimeout = Int(returnTimeout.inSeconds * 1e9)
    watchdog = StreamWatchdog(now: now)
    schedule = ReopenSchedule(now: now)
    lastProgress = now
  }

  var added: Int { ledger.added }
  var heard: Int { ledger.heard }

  /// True if nothing more will be played.
  var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  var acceptsSound: Bool { !hasEnded && !isFinishing }

  /// The time up to which the device can be assumed to have played: now, unless it has not
  /// requested audio for a while, and may be lost with what it held.
  func believable(_ now: Int) -> Int { min(now, lastProgress + 60_000_000) }

  mutating func append(_ samples: some Collection<Int16>) {
    guard !hasEnded else { return }
    ledger.append(samples)
  }

  /// Offers the stream the frames that were not sent to it.
  mutating func send(_ body: (UnsafeBufferPointer<Int16>) -> Int) {
    guard phase == .running else { return }
    ledger.send(body)
  }

  /// Records the frames that the current stream took, and those of them that were heard.
  mutating func note(taken: Int, heard: Int) {
    guard phase == .running else { return }
    self.taken = taken
    ledger.markHeard(streamStart + heard)
  }

  /// Checks whether the stream is alive.
  mutating func tick(callbacks: Int, hasFinished: Bool, now: Int) -> StreamAction? {
    switch phase {
    case .ended:
      return nil
    case .away(let deadline):
      if now >= deadline {
        let reason = "it did not come back"
        phase = .ended(.failed(.deviceLost(name: deviceName, reason: reason)))
        return nil
      }
      return schedule.begins(now: now) ? .reopen : nil
    case .running:
      if callbacks != self.callbacks {
        self.callbacks = callbacks
        lastProgress = now
      }
      guard watchdog.isLost(progress: callbacks, now: now) || hasFinished else { return nil }
      let until = watchdog.hasBegun ? now + returnTimeout : deadline ?? now + returnTimeout
      deadline = until
      phase = .away(until: until)
      schedule = ReopenSchedule(now: now)
      ledger.rewind()
      return .letGo
    }
  }

  /// Continues with a device that was opened again. Returns false if it is no longer wanted.
  mutating func reopened(now: Int) -> Bool {
    guard case .away = phase else { return false }
    phase = .running
    watchdog = StreamWatchdog(now: now)
    lastProgress = now
    callbacks = 0
    streamStart = ledger.heard
    taken = 0
    return true
  }

  /// Records that the device could not be opened again yet.
  mutating func reopenFailed(now: Int) {
    schedule.failed(now: now)
  }

  mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  /// Begins to finish: no more audio follows.
  mutating func beginFinishing() { isFinishing = true }

  /// Ends the playback after everything was heard.
  mutating func end() {
    if !hasEnded { phase = .ended(.fulfilled) }
  }

  mutating func stop() {
    if !hasEnded { phase = .ended(.cancelled) }
  }

  /// The answer to a caller; `nil` while it has to wait.
  func answer(_ wish: Wish) -> Answer? {
    switch wish {
    case .heard(let frames) where frames <= ledger.heard:
      return .fulfilled
    case .end where isFinishing && ledger.heard == ledger.added:
      return .fulfilled
    case .room
    where acceptsSound && phase == .running && ledger.added < streamStart + taken + target:
      return .fulfilled
    case .room where isFinishing:
      return .cancelled
    default:
      if case .ended(let answer) = phase {
        return answer == .fulfilled && wish == .room ? .cancelled : answer
      }
      return nil
    }
  }
}
