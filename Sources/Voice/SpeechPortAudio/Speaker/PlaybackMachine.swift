import SpeechAudio

/// What becomes of a playback, without its effects: sound, wishes and time go in, answers and actions
/// come out. Counts frames of the device.
struct PlaybackMachine {
  /// What is to be done.
  enum Action: Equatable {
    /// Give up the stream; its device is gone.
    case letGo
    /// Try to open the device again and tell the outcome.
    case reopen
  }

  /// What a caller waits for.
  enum Wish: Equatable {
    /// That the device can do with more.
    case room
    /// That this many frames have been heard.
    case heard(Int)
    /// That all was heard.
    case end
  }

  enum Answer: Equatable {
    case fulfilled
    case cancelled
    case failed(AudioError)
  }

  private enum Phase: Equatable {
    case running
    /// The device is gone, and is waited for until then.
    case away(until: Int)
    case ended(Answer)
  }

  private let deviceName: String
  /// How many frames may wait for the device.
  private let target: Int
  private let returnPatience: Int
  private var phase = Phase.running
  /// Until when a device that was lost is waited for; put off only by one that has played again.
  private var deadline: Int?
  private var watchdog: StreamWatchdog
  private var schedule: ReopenSchedule
  private var callbacks = 0
  private var ledger = PlaybackLedger()
  /// The frame with which the present stream began, and how many it has taken.
  private var streamStart = 0
  private var taken = 0
  private var isFinishing = false
  private(set) var isHeld = false
  /// When the device last asked for sound.
  private(set) var lastProgress: Int

  init(deviceName: String, target: Int, returnPatience: Duration, now: Int) {
    self.deviceName = deviceName
    self.target = max(1, target)
    self.returnPatience = Int(returnPatience.inSeconds * 1e9)
    watchdog = StreamWatchdog(now: now)
    schedule = ReopenSchedule(now: now)
    lastProgress = now
  }

  /// Frames added and heard so far.
  var added: Int { ledger.added }
  var heard: Int { ledger.heard }

  /// Whether nothing will be played any more.
  var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Whether sound is still accepted.
  var acceptsSound: Bool { !hasEnded && !isFinishing }

  /// The time up to which the device can be believed to have played: now, unless it has not been
  /// asking for a while, so that it may be gone and what it held with it.
  func believable(_ now: Int) -> Int { min(now, lastProgress + 60_000_000) }

  /// Adds frames at the end.
  mutating func append(_ samples: some Collection<Int16>) {
    guard !hasEnded else { return }
    ledger.append(samples)
  }

  /// Offers the stream what it was not given yet.
  mutating func send(_ body: (UnsafeBufferPointer<Int16>) -> Int) {
    guard phase == .running else { return }
    ledger.send(body)
  }

  /// Notes what the present stream took and how much of that was heard.
  mutating func note(taken: Int, heard: Int) {
    guard phase == .running else { return }
    self.taken = taken
    ledger.markHeard(streamStart + heard)
  }

  /// Looks at the stream's signs of life.
  mutating func tick(callbacks: Int, hasFinished: Bool, now: Int) -> Action? {
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
      let until = watchdog.hasBegun ? now + returnPatience : deadline ?? now + returnPatience
      deadline = until
      phase = .away(until: until)
      schedule = ReopenSchedule(now: now)
      ledger.rewind()
      return .letGo
    }
  }

  /// The device was opened again; false when nobody wants it any more.
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

  /// The device could not be opened again yet.
  mutating func reopenFailed(now: Int) {
    schedule.failed(now: now)
  }

  mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

  /// No more sound follows.
  mutating func beginFinishing() { isFinishing = true }

  /// All was heard.
  mutating func end() {
    if !hasEnded { phase = .ended(.fulfilled) }
  }

  /// Ends at once.
  mutating func stop() {
    if !hasEnded { phase = .ended(.cancelled) }
  }

  /// The answer to a wish, nil as long as it has to wait.
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
