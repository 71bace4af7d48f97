import SpeechConcurrency

/// Runs tests that decode speech one after the other on a queue of their own.
///
/// Such a test computes for seconds. On one of the threads that tasks share, of which there are as few as
/// cores, it would delay the tests of all suites.
@globalActor public actor DecodingQueue {
  /// The queue.
  public static let shared = DecodingQueue()

  private nonisolated let executor = SerialQueueExecutor(label: "tests.decoding")

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
}
