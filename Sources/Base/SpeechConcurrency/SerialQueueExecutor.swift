import Dispatch

/// Runs an actor on its own dispatch queue, so that blocking work does not occupy the threads that
/// all other tasks share.
package final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String, qos: DispatchQoS = .userInitiated) {
    queue = DispatchQueue(label: label, qos: qos)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let order = TaskOrders.current {
      // In its turn among all others, and on the queue, where an earlier job may still be running.
      let isTaken = order.take(job) { job in
        self.queue.sync { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
      if isTaken { return }
    }
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs work between two jobs of the actor, and blocks the calling thread until it is done. The
  /// work may assume to be isolated to the actor.
  package func sync<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Through a result, because the queue's own function erases the type of the error.
    let result = queue.sync { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
