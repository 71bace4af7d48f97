import Foundation
import SpeechAudio
import SpeechConcurrency

/// A world in which nothing happens by chance: all tasks of the process run on one thread in the order in
/// which they became ready, and time passes only when none of them has anything left to do.
///
/// What waits for the world's clock waits no real time, so a day of it takes as long as the work in it. Two
/// runs of the same program do the same things at the same times.
///
/// ```swift
/// let heard = try await VirtualWorld.run { world in
///   let microphone = ScriptedMicrophone(script, clock: world.clock)
///   …
/// }
/// ```
///
/// Work that leaves the program, such as a request to a server, takes no time of this world: its clock
/// stands still until the answer is there. `Task.sleep`, `Task.yield` and sound devices of the machine belong
/// to the world outside and have no place in it. There is one such world at a time in a process: who comes while
/// another is under way waits for its end.
public final class VirtualWorld: Sendable {
  /// The time of this world. Devices, engines and loops that are given this clock live in it.
  public let clock: VirtualClock

  /// Returns when nothing is left to be done at this time. A nanosecond passes.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func settle() async throws {
    try await clock.sleep(until: clock.time + .nanoseconds(1))
  }

  /// Tells those who wait for their turn that a world has ended.
  private static let ended = ChangeSignal()
  /// Whether the task is one of a world.
  @TaskLocal private static var isInside = false

  private init() { clock = VirtualClock(governed: ()) }

  /// Runs the body in a new world and returns what it returns. All that is left to be done then is done
  /// before, as far as it needs no more time.
  ///
  /// - Parameter patience: how long, in real time, it may stand still with nobody waiting for its clock
  ///   until that counts as a standstill.
  /// - Throws: `VirtualWorldError`, and what the body throws.
  public static func run<Value: Sendable>(
    patience: Duration = .seconds(10),
    _ body: @escaping @MainActor @Sendable (VirtualWorld) async throws -> Value
  ) async throws -> Value {
    guard !isInside else { throw VirtualWorldError.worldUnderWay }
    let world = VirtualWorld()
    let course = WorldCourse(clock: world.clock)
    while !TaskRouting.take(course) {
      guard TaskRouting.isSupported else { throw VirtualWorldError.unsupportedRuntime }
      let version = ended.version
      if TaskRouting.route != nil { try await ended.wait(after: version) }
    }
    let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
      let result = Guarded<Result<Value, any Error>?>(nil)
      let task = $isInside.withValue(true) {
        Task { @MainActor in
          do {
            let value = try await body(world)
            result.withLock { $0 = .success(value) }
          } catch {
            result.withLock { $0 = .failure(error) }
          }
        }
      }
      let thread = Thread {
        course.follow(
          patience: patience, isOver: { result.withLock { $0 != nil } },
          onStandstill: { task.cancel() })
        TaskRouting.leave()
        ended.notify()
        continuation.resume(
          returning: result.withLock { $0 } ?? .failure(VirtualWorldError.standstill))
      }
      thread.stackSize = 8 << 20
      thread.name = "SpeechKit.world"
      thread.start()
    }
    return try outcome.get()
  }
}

/// Why a virtual world could not go on.
public enum VirtualWorldError: Error, Sendable, Equatable, LocalizedError {
  /// One was begun inside another.
  case worldUnderWay
  /// The program is linked in a way that hides the hooks of the Swift runtime.
  case unsupportedRuntime
  /// Everybody waits, and for nothing that could still happen.
  case standstill

  /// What happened and what to do.
  public var errorDescription: String? {
    switch self {
    case .worldUnderWay:
      "A virtual world cannot be run inside another. Run them one after the other."
    case .unsupportedRuntime:
      "The hooks of the Swift runtime were not found. Link the program dynamically, without "
        + "-static-stdlib."
    case .standstill:
      "Everything in the virtual world waits for something that will never happen. End the streams and "
        + "captures that are still open."
    }
  }
}
