import Foundation
import SpeechAudio
import SpeechConcurrency

/// What there is to do in a virtual world, one thing after the other.
final class WorldCourse: TaskRoute {
  private typealias Piece = @Sendable () -> Void

  private struct State {
    var ready = Queue<Piece>()
    /// What other threads had to add. It waits until all that is ready is done, for when it came is chance.
    var fromOutside = Queue<Piece>()
    var thread: pthread_t?
  }

  let clock: VirtualClock
  private let state = Guarded(State())
  private let wake = DispatchSemaphore(value: 0)

  init(clock: VirtualClock) {
    self.clock = clock
  }

  var mainExecutor: any SerialExecutor { WorldMainExecutor.shared }

  func run(_ piece: @escaping @Sendable () -> Void) {
    let isOutside = state.withLock { state in
      if let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 {
        state.ready.append(piece)
        return false
      }
      state.fromOutside.append(piece)
      return true
    }
    if isOutside { wake.signal() }
  }

  /// Does what there is to do, on the calling thread, until it is over and all that is ready is done.
  ///
  /// - Parameters:
  ///   - patience: how long something may still come from outside where nobody waits for the clock.
  ///   - onStandstill: called once when nothing came; what it makes ready is still done.
  func follow(patience: Duration, isOver: () -> Bool, onStandstill: () -> Void) {
    state.withLock { $0.thread = pthread_self() }
    OutsideWork.observe { [wake] in _ = wake.signal() }
    defer { OutsideWork.observe(nil) }
    var hasStoodStill = false
    while true {
      while let piece = next() { piece() }
      if isOver() { return }
      // In this order: what ends outside adds what goes on with it before it says that it ended.
      let isBusy = OutsideWork.isUnderWay
      if state.withLock({ !$0.fromOutside.isEmpty }) { continue }
      if isBusy {
        wake.wait()
      } else if !clock.passTime() {
        if !hasStoodStill, wake.wait(timeout: .now() + patience.inSeconds) == .success { continue }
        if hasStoodStill { return }
        hasStoodStill = true
        onStandstill()
      }
    }
  }

  private func next() -> Piece? {
    state.withLock { $0.ready.popFirst() ?? $0.fromOutside.popFirst() }
  }
}

/// Runs the main actor in the order of the world.
///
/// A singleton because tasks refer to the executor of their actor without owning it, and some may outlive
/// their world.
private final class WorldMainExecutor: SerialExecutor {
  static let shared = WorldMainExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let piece: @Sendable () -> Void = {
      job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
    if let route = TaskRouting.route {
      route.run(piece)
    } else {
      DispatchQueue.main.async(execute: piece)
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  // Whoever asks is on the world's thread or on the main one.
  func checkIsolated() {}
}
