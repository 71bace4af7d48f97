import SpeechAudio
import SpeechConcurrency

/// A world in which nothing depends on the speed of the machine: its tasks run one at a time, in
/// the order in which they became ready, and time passes only when none of them has anything left
/// to do.
///
/// What waits for the world's clock waits no real time, so a day of it takes as long as the work in
/// it. Two runs of the same program do the same things at the same times.
///
/// ```swift
/// let heard = try await VirtualWorld.run { world in
///   let microphone = ScriptedMicrophone(script, clock: world.clock)
///   …
/// }
/// ```
///
/// The tasks of a world are those that its body creates, and those that these create. Other tasks
/// of the process run as ever. Work outside of the program, such as a request to a server, takes no
/// time of this world if it is done in `ExternalWork.run`: the world's clock stands still until it
/// has ended. A world ends with `VirtualWorldError.usedHost` when its tasks are found to depend on
/// the machine in another way: when one sleeps on a clock of the machine or is resumed by a
/// callback of another thread, or when a responder reads the machine's clock or opens sockets or
/// files.
///
/// There is one such world at a time in a process. A second one waits for the end of the first.
public final class VirtualWorld: Sendable {
  /// The time of this world. Devices, engines and loops that are given this clock live in it.
  public let clock: VirtualClock

  /// Returns when nothing is left to be done at this time. A nanosecond passes.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func settle() async throws {
    try await clock.sleep(until: clock.time + .nanoseconds(1))
  }

  /// Notifies those that wait for their turn of the end of a world.
  private static let ended = ChangeSignal()
  /// True in the tasks of a world.
  @TaskLocal private static var isInside = false

  private init() { clock = VirtualClock(governed: ()) }

  /// Runs the body in a new world and returns its result. Work that is ready when the body ends is
  /// still done, and the tasks that wait for the world's clock are cancelled. Cancelling the
  /// caller's task cancels the body.
  ///
  /// - Parameter timeout: how long, in real time, nothing may happen while no task waits for the
  ///   world's clock. After that the body is cancelled.
  /// - Throws: `VirtualWorldError`, and the errors of the body.
  public static func run<Value: Sendable>(
    timeout: Duration = .seconds(10),
    _ body: @escaping @MainActor @Sendable (VirtualWorld) async throws -> Value
  ) async throws -> Value {
    guard !isInside else { throw VirtualWorldError.worldUnderWay }
    HostUse.watchCalls
    let world = VirtualWorld()
    let result = Guarded<Result<Value, any Error>?>(nil)
    let order = WorldOrder(
      clock: world.clock, timeout: timeout, isOver: { result.withLock { $0 != nil } })
    try await ended.wait(until: { TaskOrders.set(order) })
    // The world's tasks are not children of the caller's task, so its cancellation is passed on.
    let hostUse = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        order.start {
          $isInside.withValue(true) {
            Task { @MainActor in
              do {
                let value = try await body(world)
                result.withLock { $0 = .success(value) }
              } catch {
                result.withLock { $0 = .failure(error) }
              }
            }
          }
        } onEnd: { hostUse in
          ended.notify()
          continuation.resume(returning: hostUse)
        }
      }
    } onCancel: {
      order.cancel()
    }
    if let hostUse { throw VirtualWorldError.usedHost(hostUse) }
    guard let outcome = result.withLock({ $0 }) else {
      try Task.checkCancellation()
      throw VirtualWorldError.standstill
    }
    return try outcome.get()
  }
}
