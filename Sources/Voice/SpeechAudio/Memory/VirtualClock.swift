import SpeechConcurrency

/// A clock whose time passes only when everybody who works with it is asleep, and then at once.
///
/// Devices that share it run in step: a minute of sound takes as long as the program needs to follow it,
/// and the outcome does not depend on how fast that is.
///
/// ```swift
/// let clock = VirtualClock()
/// let microphone = ScriptedMicrophone(
///   AudioScript().saying(hello, at: .seconds(3)), clock: clock)
/// ```
public final class VirtualClock: DeviceClock, Clock {
  /// A moment of a virtual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// The moment that much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How long it is until the other moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one moment is before the other.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    var id: Int
    var deadline: Duration
    /// The timer that sleeps; `nil` for one who only waits for the time to come.
    var timer: Int?
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var time = Duration.zero
    var nextID = 0
    var sleepers: [Sleeper] = []
    var timers: Set<Int> = []
    var cancelledSleepers: Set<Int> = []
  }

  private let state = Guarded(State())
  /// Whether somebody else says when time passes, who sees all that is going on.
  private let isGoverned: Bool

  /// A clock at time zero.
  public init() { isGoverned = false }

  /// A clock whose time passes when `passTime()` is called, and not by itself.
  package init(governed: Void) { isGoverned = true }

  /// Goes on to the next time that somebody waits for and wakes those who do; false if nobody waits.
  package func passTime() -> Bool {
    let woken = state.withLock { state -> [Sleeper] in
      guard let next = state.sleepers.map(\.deadline).min() else { return [] }
      state.time = max(state.time, next)
      return Self.takeDue(&state)
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
    return !woken.isEmpty
  }

  /// The time since the clock was made.
  public var time: Duration { state.withLock(\.time) }

  /// The current moment.
  public var now: Instant { Instant(offset: time) }

  /// Nothing is too short.
  public var minimumResolution: Duration { .zero }

  /// Waits for that moment. This does not hold the clock: it goes on when the devices let it.
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

  /// A hold on the clock: between its sleeps no time passes.
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
    state.withLock { state in _ = state.cancelledSleepers.remove(id) }
    guard isInTime else { throw CancellationError() }
  }

  private func enter(_ sleeper: Sleeper) {
    let woken = state.withLock { state -> [(Sleeper, Bool)] in
      let timerIsGone = sleeper.timer.map { !state.timers.contains($0) } ?? false
      if timerIsGone || state.cancelledSleepers.contains(sleeper.id) {
        return [(sleeper, false)]
      }
      state.sleepers.append(sleeper)
      return due(&state).map { ($0, true) }
    }
    for (sleeper, isInTime) in woken { sleeper.continuation.resume(returning: isInTime) }
    goOn(after: woken.map(\.0))
  }

  private func wake(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        // Either it has woken already, or it is about to lie down.
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
    goOn(after: woken)
  }

  /// Whoever slept without a timer may never come back to move the time on. After a chance to do so, it
  /// moves on without them.
  private func goOn(after woken: [Sleeper]) {
    guard !isGoverned, woken.contains(where: { $0.timer == nil }) else { return }
    Task {
      await Task.yield()
      let next = state.withLock { due(&$0) }
      for sleeper in next { sleeper.continuation.resume(returning: true) }
      goOn(after: next)
    }
  }

  /// Those whose time has come; before that, time moves on to the next deadline if every timer sleeps.
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
