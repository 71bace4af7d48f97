import Dispatch

/// Runs tests that decode speech one after the other on a queue of their own.
///
/// Such a test computes for seconds. On one of the threads that tasks share, of which there are as
/// few as cores, it would delay the tests of all suites.
@globalActor public actor DecodingQueue {
  /// The queue of all such tests.
  public static let shared = DecodingQueue()

  private nonisolated let executor = QueueExecutor()

  /// The executor of the queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
}

/// Not the `SerialQueueExecutor` of SpeechConcurrency, whose jobs run in virtual time while another
/// test uses that: a test that decodes would hold up the virtual time.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "tests.decoding")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
