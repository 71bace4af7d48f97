import Dispatch
import SpeechConcurrency

/// Calls something a hundred times a second, on a queue of its own, until it is stopped.
final class DrainTimer: Sendable {
  private let timer: Guarded<(any DispatchSourceTimer)?>

  init(label: String) {
    let queue = DispatchQueue(label: label)
    timer = Guarded(DispatchSource.makeTimerSource(queue: queue))
  }

  /// Begins. To be called once.
  func start(_ body: @escaping @Sendable () -> Void) {
    timer.withLock { timer in
      timer?.setEventHandler(handler: body)
      timer?.schedule(
        deadline: .now() + .milliseconds(5), repeating: .milliseconds(10), leeway: .milliseconds(1))
      timer?.activate()
    }
  }

  /// Ends; a call that runs now is not waited for.
  func stop() {
    timer.withLock { timer in
      timer?.cancel()
      timer = nil
    }
  }

  deinit { stop() }
}
