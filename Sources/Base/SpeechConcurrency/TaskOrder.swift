import Synchronization

/// An order in which the tasks of a virtual world run, one piece after the other.
package protocol TaskOrder: AnyObject, Sendable {
  /// True when called from a task of this order.
  var isCurrent: Bool { get }

  /// Runs the job in its turn if its task belongs to this order; false if it does not.
  ///
  /// - Parameter run: runs the job. It may block and may use the host, because jobs of executors
  ///   with threads of their own do.
  func take(_ job: UnownedJob, run: @escaping @Sendable (UnownedJob) -> Void) -> Bool

  /// Announces work outside of the order: until it ends, no time passes in the order.
  ///
  /// - Parameter isPause: true for work that only waits. It does not delay the continuation of
  ///   other work.
  /// - Returns: its number. Work is continued in the order of the numbers, pauses last.
  func beginExternalWork(isPause: Bool) -> Int

  /// Ends external work. `resume` is called in the order when all work that was begun before has
  /// been continued.
  func endExternalWork(_ number: Int, resume: @escaping @Sendable () -> Void)

  /// Runs the body so that the tasks that it creates or resumes are not of this order.
  func outside(_ body: () -> Void)

  /// Records that a handler of the app is working until the returned closure is called.
  func beginHandler(_ name: String) -> @Sendable () -> Void
}

/// The order of the virtual world that exists at present, if any.
///
/// The library for tests sets it. There is one at a time in a process.
package enum TaskOrders {
  private static let exists = Atomic(false)
  private static let order = Guarded<(any TaskOrder)?>(nil)

  /// The order that exists at present.
  package static var current: (any TaskOrder)? {
    exists.load(ordering: .acquiring) ? order.withLock { $0 } : nil
  }

  /// Makes this order the current one. False if there is another already.
  package static func set(_ new: any TaskOrder) -> Bool {
    order.withLock { order in
      guard order == nil else { return false }
      order = new
      exists.store(true, ordering: .releasing)
      return true
    }
  }

  /// Removes the current order.
  package static func clear() {
    order.withLock { order in
      exists.store(false, ordering: .releasing)
      order = nil
    }
  }
}
