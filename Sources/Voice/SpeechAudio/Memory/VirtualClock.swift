import SpeechConcurrency

/// A clock whose time passes only when all its users are asleep, and then at once.
///
/// Devices that share it run in step: a minute of audio takes as long as the program needs to
/// process it, and the result does not depend on the speed of the program.
///
/// ```swift
/// let clock = VirtualClock()
/// let microphone = ScriptedMicrophone(
///   AudioScript().saying(hello, at: .seconds(3)), clock: clock)
/// ```
public final class VirtualClock: DeviceClock, Clock {
  /// A moment of a virtual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Returns the moment after that duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration until the other moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns true if the left moment is the earlier one.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    var id: Int
    var deadline: Duration
    /// The timer that sleeps; `nil` for a wait without a hold.
    var timer: Int?
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var time = Duration.zero
    var nextID = 0
    var sleepers: [Sleeper] = []
    var timers: Set<Int> = []
    var cancelledSleepers: Set<Int> = []
    var hasEnded = false
  }

  private let state = Guarded(State())
  /// True if the time passes only on request of an owner that observes all other activity.
  private let isGoverned: Bool

  /// Creates a clock at time zero.
  public init() { isGoverned = false }

  /// Creates a clock whose time passes when `passTime()` is called, and not by itself.
  package init(governed: Void) { isGoverned = true }

  /// Advances to the next deadline and wakes its sleepers; false if there are none.
  package func passTime() -> Bool {
    let woken = state.withLock { state -> [Sleeper] in
      guard let next = state.sleepers.map(\.deadline).min() else { return [] }
      state.time = max(state.time, next)
      return Self.takeDue(&state)
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
    return !woken.isEmpty
  }

  /// Cancels the tasks that sleep, and from now on every task that is about to, because no time
  /// passes any more.
  package func end() {
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in left { sleeper.continuation.resume(returning: false) }
  }

  /// The time since the clock was created.
  public var time: Duration { state.withLock(\.time) }

  /// The current moment of the clock.
  public var now: Instant { Instant(offset: time) }

  /// Zero: any duration can be waited for.
  public var minimumResolution: Duration { .zero }

  /// Waits for that moment without holding the clock: it advances when the devices allow it.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline.offset, timer: nil)
  }

  /// Waits for that time without holding the clock.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until time: Duration) async throws {
    try await sleep(until: time, timer: nil)
  }

  /// Creates a hold on the clock: no time passes between its sleeps.
  public func makeTimer() -> any DeviceTimer {
    let id = state.withLock { state in
      state.nextID += 1
      state.timers.insert(state.nextID)
      return state.nextID
    }
    return VirtualTimer(clock: self, id: id)
  }

  fileprivate func sleep(until deadline: Duration, timer: Int?) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let isInTime = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(
          Sleeper(id: id, deadline: deadline, timer: timer, continuation: continuation))
      }
    } onCancel: {
      wake(id)
    }
    let hasEnded = state.withLock { state in
      state.cancelledSleepers.remove(id)
      return state.hasEnded
    }
    guard isInTime else {
      // A loop around the sleep that only checks for cancellation would never end otherwise.
      if hasEnded { withUnsafeCurrentTask { $0?.cancel() } }
      throw CancellationError()
    }
  }

  private func enter(_ sleeper: Sleeper) {
    let woken = state.withLock { state -> [(Sleeper, Bool)] in
      let timerIsGone = sleeper.timer.map { !state.timers.contains($0) } ?? false
      if timerIsGone || state.hasEnded || state.cancelledSleepers.contains(sleeper.id) {
        return [(sleeper, false)]
      }
      state.sleepers.append(sleeper)
      return due(&state).map { ($0, true) }
    }
    for (sleeper, isInTime) in woken { sleeper.continuation.resume(returning: isInTime) }
    advance(after: woken.map(\.0))
  }

  private func wake(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        // The sleeper has woken already, or is about to fall asleep.
        state.cancelledSleepers.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(returning: false)
  }

  fileprivate func remove(timer: Int) {
    let (cancelled, woken) = state.withLock { state in
      state.timers.remove(timer)
      let cancelled = state.sleepers.filter { $0.timer == timer }
      state.sleepers.removeAll { $0.timer == timer }
      return (cancelled, due(&state))
    }
    for sleeper in cancelled { sleeper.continuation.resume(returning: false) }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
    advance(after: woken)
  }

  /// A sleeper without a timer may never return to advance the time. After an opportunity to do so,
  /// the time advances without it.
  private func advance(after woken: [Sleeper]) {
    guard !isGoverned, woken.contains(where: { $0.timer == nil }) else { return }
    Task {
      await Task.yield()
      let next = state.withLock { due(&$0) }
      for sleeper in next { sleeper.continuation.resume(returning: true) }
      advance(after: next)
    }
  }

  /// The sleepers that are due; before that, time advances to the next deadline if every timer
  /// sleeps.
  private func due(_ state: inout State) -> [Sleeper] {
    let asleep = Set(state.sleepers.compactMap(\.timer))
    if !isGoverned, asleep.isSuperset(of: state.timers),
      let next = state.sleepers.map(\.deadline).min(), next > state.time
    {
      state.time = next
    }
    return Self.takeDue(&state)
  }

  private static func takeDue(_ state: inout State) -> [Sleeper] {
    let time = state.time
    let due = state.sleepers.filter { $0.deadline <= time }.sorted { $0.deadline < $1.deadline }
    state.sleepers.removeAll { $0.deadline <= time }
    return due
  }
}

private final class VirtualTimer: DeviceTimer {
  private let clock: VirtualClock
  private let id: Int

  init(clock: VirtualClock, id: Int) {
    self.clock = clock
    self.id = id
  }

  func sleep(until time: Duration) async throws {
    try await clock.sleep(until: time, timer: id)
  }

  func cancel() { clock.remove(timer: id) }

  deinit { cancel() }
}
