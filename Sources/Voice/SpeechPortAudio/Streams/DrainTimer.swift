import Dispatch
import SpeechConcurrency

/// Calls a function a hundred times a second on its own queue, until it is stopped.
final class DrainTimer: Sendable {
  private let timer: Guarded<(any DispatchSourceTimer)?>

  init(label: String) {
    let queue = DispatchQueue(label: label)
    timer = Guarded(DispatchSource.makeTimerSource(queue: queue))
  }

  /// Starts the timer. May be called once.
  func start(_ body: @escaping @Sendable () -> Void) {
    timer.withLock { timer in
      timer?.setEventHandler(handler: body)
      timer?.schedule(
        deadline: .now() + .milliseconds(5), repeating: .milliseconds(10), leeway: .milliseconds(1))
      timer?.activate()
    }
  }

  /// Stops the timer, without waiting for a call in progress.
  func stop() {
    timer.withLock { timer in
      timer?.cancel()
      timer = nil
    }
  }

  deinit { stop() }
}
