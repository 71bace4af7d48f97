import Foundation

/// Runs pieces of tasks in the place of the system's threads.
package protocol TaskRoute: AnyObject, Sendable {
  /// Runs the piece, soon and not now. Called from anywhere.
  func run(_ piece: @escaping @Sendable () -> Void)

  /// The executor of the main actor while tasks are routed here.
  var mainExecutor: any SerialExecutor { get }
}

/// Where the tasks of this process run: on the system's threads, or on a route that takes all of them so
/// that they run in one order.
///
/// The runtime has hooks for this, which are variables of its library. They concern the whole process, so
/// there is one route at a time.
package enum TaskRouting {
  private typealias EnqueueOriginal = @convention(thin) (UnownedJob) -> Void
  private typealias Enqueue = @convention(thin) (UnownedJob, EnqueueOriginal) -> Void
  private typealias MainOriginal = @convention(thin) () -> UnownedSerialExecutor
  private typealias Main = @convention(thin) (MainOriginal) -> UnownedSerialExecutor

  private static let current = Guarded<(any TaskRoute)?>(nil)

  /// The route that is taken now.
  package static var route: (any TaskRoute)? { current.withLock { $0 } }

  /// Whether the runtime has what this takes.
  package static var isSupported: Bool { Hooks() != nil }

  /// Sends all that tasks do from now on that way. False when another route is being taken, or the runtime
  /// has no such hooks, as when it is linked into the program.
  package static func take(_ route: any TaskRoute) -> Bool {
    guard let hooks = Hooks() else { return false }
    let isFree = current.withLock { current in
      guard current == nil else { return false }
      current = route
      return true
    }
    if isFree { hooks.set() }
    return isFree
  }

  /// Lets tasks run on the system's threads again.
  package static func leave() {
    Hooks()?.clear()
    current.withLock { $0 = nil }
  }

  /// Runs a piece of a task that belongs to no actor's own executor.
  fileprivate static func run(_ job: UnownedJob) {
    // Two words of zero are the runtime's sign for no executor in particular.
    runJob(job, unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
  }

  private struct Hooks {
    let enqueue: UnsafeMutablePointer<Enqueue?>
    let main: UnsafeMutablePointer<Main?>

    init?() {
      func hook<Function>(_ name: String, _: Function.Type) -> UnsafeMutablePointer<Function?>? {
        dlsym(nil, "swift_task_\(name)_hook")?.assumingMemoryBound(to: Function?.self)
      }
      guard let enqueue = hook("enqueueGlobal", Enqueue.self),
        let main = hook("getMainExecutor", Main.self)
      else { return nil }
      (self.enqueue, self.main) = (enqueue, main)
    }

    func set() {
      enqueue.pointee = { job, original in
        guard let route = TaskRouting.route else { return original(job) }
        route.run { TaskRouting.run(job) }
      }
      main.pointee = { original in
        guard let route = TaskRouting.route else { return original() }
        return route.mainExecutor.asUnownedSerialExecutor()
      }
    }

    func clear() {
      enqueue.pointee = nil
      main.pointee = nil
    }
  }
}

@_silgen_name("swift_job_run")
private func runJob(_ job: UnownedJob, _ executor: UnownedSerialExecutor)
