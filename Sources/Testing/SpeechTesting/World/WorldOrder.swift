import CHostCalls
import Foundation
import SpeechAudio
import SpeechConcurrency

/// The order in which the tasks of a virtual world run.
///
/// They run on the main queue, one piece after the other, in slices between which the rest of the
/// process has its turn. A task belongs to the world if it was created there. Whatever else runs in
/// the process is left alone.
final class WorldOrder: TaskOrder {
  typealias Piece = @Sendable () -> Void

  /// The time after which a slice ends, so that the main actor of the rest of the process is not
  /// kept waiting.
  private static let sliceLength = Duration.milliseconds(4)

  let clock: VirtualClock
  private let timeout: Duration
  private let isOver: @Sendable () -> Bool
  private let state = Guarded(State())

  /// - Parameters:
  ///   - timeout: how long, in real time, nothing may happen and no task may wait for the clock.
  ///   - isOver: true when the world's first task has ended.
  init(clock: VirtualClock, timeout: Duration, isOver: @escaping @Sendable () -> Bool) {
    self.clock = clock
    self.timeout = timeout
    self.isOver = isOver
  }

  /// The order that exists at present.
  static var current: WorldOrder? { TaskOrders.current as? WorldOrder }

  /// Runs the job in its turn if it belongs to the world that exists at present.
  static func take(_ job: UnownedJob, run: @escaping @Sendable (UnownedJob) -> Void) -> Bool {
    guard let order = current else { return false }
    return order.take(job, isPermitted: false, run: run)
  }

  // MARK: Tasks

  var isCurrent: Bool { skhc_current_thread().pointee.world > 0 }

  /// Runs the body so that the tasks that it creates are of the world.
  func inside<Result>(_ body: () -> Result) -> Result {
    let thread = skhc_current_thread()
    thread.pointee.world += 1
    defer { thread.pointee.world -= 1 }
    return body()
  }

  func outside(_ body: () -> Void) {
    let thread = skhc_current_thread()
    let world = thread.pointee.world
    thread.pointee.world = 0
    defer { thread.pointee.world = world }
    body()
  }

  func take(_ job: UnownedJob, run: @escaping @Sendable (UnownedJob) -> Void) -> Bool {
    take(job, isPermitted: true, run: run)
  }

  private func take(
    _ job: UnownedJob, isPermitted: Bool, run: @escaping @Sendable (UnownedJob) -> Void
  ) -> Bool {
    let isCurrent = isCurrent
    let number = taskNumber(job)
    let piece: Piece = {
      guard isPermitted else { return run(job) }
      let thread = skhc_current_thread()
      thread.pointee.permitted += 1
      defer { thread.pointee.permitted -= 1 }
      run(job)
    }
    let isTaken = state.withLock { state in
      guard !state.hasEnded, state.belongs(number, isCurrent: isCurrent) else { return false }
      if isCurrent {
        state.ready.append(piece)
      } else {
        if state.hostUse == nil, !state.isEnding, !state.timeHasEnded {
          state.hostUse = HostUse(handler: state.handlers.last?.name, kind: .callback)
        }
        state.arrivals.append(piece)
      }
      return true
    }
    if isTaken { schedule() }
    return isTaken
  }

  // MARK: External work

  func beginExternalWork(isPause: Bool) -> Int {
    state.withLock { state in
      state.externalWorkCount += 1
      state.externalWork.append(
        ExternalWorkItem(number: state.externalWorkCount, isPause: isPause))
      return state.externalWorkCount
    }
  }

  func endExternalWork(_ number: Int, resume: @escaping Piece) {
    let isWaiting = state.withLock { state in
      guard !state.hasEnded,
        let index = state.externalWork.firstIndex(where: { $0.number == number })
      else { return false }
      state.externalWork[index].resume = resume
      return true
    }
    if isWaiting { schedule() } else { resume() }
  }

  // MARK: The machine

  func beginHandler(_ name: String) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.handlerCount += 1
      state.handlers.append((state.handlerCount, name))
      return state.handlerCount
    }
    return { [state] in
      state.withLock { state in state.handlers.removeAll { $0.id == id } }
    }
  }

  /// Ends the world because of this use of the machine, unless there was one before.
  func report(_ use: HostUse) {
    state.withLock { state in
      // The outcome is known already.
      guard !state.timeHasEnded else { return }
      // A sleep begins with a look at the clock, but is a sleep.
      let isSleep =
        state.hostUse?.kind == .clock && use.kind == .pause && !state.isEnding
        && state.hostUse?.handler == use.handler
      if state.hostUse == nil || isSleep { state.hostUse = use }
    }
  }

  /// Takes the job that ends a sleep on a clock of the machine, which ends the world. False if the
  /// sleeper is not of the world.
  ///
  /// - Parameter resume: runs the job after the end of the world. Before that, the sleeper waits.
  func takeSleep(_ job: UnownedJob, resume: @escaping Piece) -> Bool {
    let (number, isCurrent) = (taskNumber(job), isCurrent)
    let isTaken = state.withLock { state in
      guard !state.hasEnded, state.belongs(number, isCurrent: isCurrent) else { return false }
      state.sleeps.append(resume)
      return true
    }
    if isTaken {
      report(HostUse(handler: HandlerCall.name, kind: .pause, function: "Task.sleep"))
    }
    return isTaken
  }

  // MARK: Slices

  /// Begins with the first task, which the body creates.
  ///
  /// - Parameter onEnd: called once, outside of the world, with the use of the machine that ended
  ///   it, if any.
  func start(
    _ body: () -> Task<Void, Never>, onEnd: @escaping @Sendable (HostUse?) -> Void
  ) {
    state.withLock { $0.onEnd = onEnd }
    let first = inside(body)
    state.withLock { $0.first = first }
  }

  /// Cancels the first task in its turn, and ends the world when nothing is left to do.
  func cancel() {
    let isUnderWay = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.mustCancel = true
      return true
    }
    if isUnderWay { schedule() }
  }

  private func schedule() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { DispatchQueue.main.async { self.runSlice() } }
  }

  /// Runs what there is to do, for a short time.
  private func runSlice() {
    let end = ContinuousClock.now + Self.sliceLength
    while true {
      switch state.withLock({ $0.nextStep(isOver: isOver) }) {
      case .run(let piece): inside(piece)
      case .cancel(let first): inside(first.cancel)
      case .passTime:
        if !inside(clock.passTime), endsForLackOfWork() { return }
      case .endTime: inside(clock.end)
      case .wait: return
      case .end(let end): return finish(end)
      }
      // Still marked as scheduled, so that no other thread schedules a second slice.
      if ContinuousClock.now > end { return DispatchQueue.main.async { self.runSlice() } }
    }
  }

  private func finish(_ end: End) {
    TaskOrders.clear()
    end.onEnd?(end.hostUse)
    for resume in end.abandoned { resume() }
  }

  /// Ends the slice when no task waits for the clock, unless another thread has brought something
  /// to do.
  private func endsForLackOfWork() -> Bool {
    let rest: Int? = state.withLock { state in
      guard !state.hasNext else { return nil }
      if state.isEnding {
        state.isStandingStill = true
        return nil
      }
      state.isScheduled = false
      state.restCount += 1
      return state.restCount
    }
    guard let rest else { return false }
    DispatchQueue.global().asyncAfter(deadline: .now() + timeout.inSeconds) { [weak self] in
      self?.endStandstill(rest)
    }
    return true
  }

  /// Cancels the first task if nothing has happened since that rest began.
  private func endStandstill(_ rest: Int) {
    let isStandstill = state.withLock { state in
      guard !state.isScheduled, !state.hasEnded, state.restCount == rest else { return false }
      state.mustCancel = true
      return true
    }
    if isStandstill { schedule() }
  }
}

extension WorldOrder {
  /// The end of a world.
  private struct End {
    var onEnd: (@Sendable (HostUse?) -> Void)?
    var hostUse: HostUse?
    /// Continues what the world still waited for, outside of it.
    var abandoned: [Piece]
  }

  private struct ExternalWorkItem {
    var number: Int
    var isPause: Bool
    /// Continues what waits for it, once it has ended.
    var resume: Piece?
  }

  private enum Step {
    case run(Piece)
    case cancel(Task<Void, Never>)
    case passTime
    case endTime
    case wait
    case end(End)
  }

  private struct State {
    /// Pieces that were added by pieces of this order.
    var ready = Queue<Piece>()
    /// Pieces that other threads added. They wait until all that is ready is done, because the
    /// moment at which they came depends on the machine.
    var arrivals = Queue<Piece>()
    /// External work in the order in which it was begun.
    var externalWork: [ExternalWorkItem] = []
    var externalWorkCount = 0

    /// The tasks of the world, and those that were created outside while it exists.
    var inside = TaskSet()
    var outside = TaskSet()
    var firstTask: UInt64?

    var handlers: [(id: Int, name: String)] = []
    var handlerCount = 0
    var hostUse: HostUse?
    var sleeps: [Piece] = []

    var onEnd: (@Sendable (HostUse?) -> Void)?

    var isScheduled = false
    var restCount = 0
    var first: Task<Void, Never>?
    /// True when the first task has to be cancelled.
    var mustCancel = false
    /// True when the first task was cancelled.
    var isEnding = false
    var isStandingStill = false
    /// True once the world's clock has ended, so that its last tasks end as well.
    var timeHasEnded = false
    var hasEnded = false

    /// True if a task is of the world: it is if the world enqueued it first.
    mutating func belongs(_ task: UInt64, isCurrent: Bool) -> Bool {
      // Such jobs are of no task, and are run once.
      guard task != 0 else { return isCurrent }
      if inside.contains(task) { return true }
      if task < firstTask ?? 0 || outside.contains(task) { return false }
      if isCurrent { inside.insert(task) } else { outside.insert(task) }
      if isCurrent, firstTask == nil { firstTask = task }
      return isCurrent
    }

    /// True while there is more to do than to let time pass.
    var hasNext: Bool {
      !ready.isEmpty || !arrivals.isEmpty || nextExternalWork?.resume != nil
        || (mustEnd && !isEnding)
    }

    /// The external work that is continued next, at its end: the earliest one, and a pause if there
    /// is nothing but pauses.
    private var nextExternalWork: ExternalWorkItem? {
      externalWork.first { !$0.isPause } ?? externalWork.first { $0.resume != nil }
        ?? externalWork.first
    }

    private var mustEnd: Bool { mustCancel || hostUse != nil }

    mutating func nextStep(isOver: () -> Bool) -> Step {
      if mustEnd, !isEnding, let first {
        isEnding = true
        return .cancel(first)
      }
      if let piece = ready.popFirst() ?? arrivals.popFirst() { return .run(piece) }
      if isOver() || isStandingStill {
        guard timeHasEnded else {
          timeHasEnded = true
          return .endTime
        }
        hasEnded = true
        return .end(
          End(
            onEnd: onEnd, hostUse: hostUse,
            abandoned: externalWork.compactMap(\.resume) + sleeps))
      }
      if let work = nextExternalWork {
        guard let resume = work.resume else {
          isScheduled = false
          return .wait
        }
        externalWork.removeAll { $0.number == work.number }
        return .run(resume)
      }
      return .passTime
    }
  }
}

/// The number of the job's task in the process; zero if it is of none. Unlike addresses, numbers
/// are not used again.
@_silgen_name("swift_task_getJobTaskId")
private func taskNumber(_ job: UnownedJob) -> UInt64
