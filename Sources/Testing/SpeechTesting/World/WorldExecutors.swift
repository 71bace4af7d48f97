import CHostCalls
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The executors of programs that can run virtual worlds: those of the platform, except for the
/// tasks of a world, which run in its order.
///
/// `UnownedJob` values that belong to no world are passed on unchanged.
private struct WorldExecutors: ExecutorFactory {
  private static let main = WorldMainExecutor()
  private static let shared = WorldSharedExecutor()

  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { shared }
}

/// Called once, before `main`, by a constructor in CHostCalls.
@_cdecl("speechkit_install_world_executors")
func installWorldExecutors() {
  _createExecutors(factory: WorldExecutors.self)
}

/// Runs the main actor.
///
/// A world runs its tasks on the main queue, so its main actor and the main actor of the rest of
/// the process exclude each other.
private final class WorldMainExecutor: MainExecutor {
  private let platform = PlatformExecutorFactory.mainExecutor

  func run() throws { try platform.run() }
  func runUntil(_ condition: () -> Bool) throws { try platform.runUntil(condition) }
  func stop() { platform.stop() }
  func checkIsolated() { platform.checkIsolated() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = WorldOrder.take(job) { job in
      job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
    if !isTaken { platform.enqueue(ExecutorJob(job)) }
  }
}

/// Runs tasks that belong to no actor with an executor of its own.
private final class WorldSharedExecutor: TaskExecutor, SchedulingExecutor {
  private let platform = PlatformExecutorFactory.defaultExecutor

  /// The executor of tasks that run on none in particular, which the runtime represents by zeros.
  private static var none: UnownedSerialExecutor {
    unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = WorldOrder.take(job) { job in job.runSynchronously(on: Self.none) }
    if !isTaken { platform.enqueue(ExecutorJob(job)) }
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    let job = UnownedJob(job)
    if takeSleep(job) { return }
    scheduling.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    let job = UnownedJob(job)
    if takeSleep(job) { return }
    scheduling.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
  }

  /// Takes the sleep of a world's task, which is none on the world's clock.
  private func takeSleep(_ job: UnownedJob) -> Bool {
    guard let order = WorldOrder.current else { return false }
    return order.takeSleep(job) { [platform] in platform.enqueue(ExecutorJob(job)) }
  }

  private var scheduling: any SchedulingExecutor {
    guard let scheduling = platform as? any SchedulingExecutor else {
      // Impossible, because the platform's executors implement both protocols.
      fatalError("The platform's executor cannot delay jobs, which its own Task.sleep needs.")
    }
    return scheduling
  }
}
