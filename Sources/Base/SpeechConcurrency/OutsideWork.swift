/// Counts what is being done outside of all tasks, such as an exchange with a server, and will go on with
/// one: while there is any, a time that only passes when nothing else can happen has to stand still.
package enum OutsideWork {
  private struct State {
    var count = 0
    var onChange: (@Sendable () -> Void)?
  }

  private static let state = Guarded(State())

  /// Whether there is any.
  package static var isUnderWay: Bool { state.withLock { $0.count > 0 } }

  /// Something begins, and has to `end()`.
  package static func begin() { state.withLock { $0.count += 1 } }

  /// Something ended, and what goes on with it has been told.
  package static func end() {
    let onChange = state.withLock { state in
      state.count -= 1
      return state.onChange
    }
    onChange?()
  }

  /// Calls that whenever something ended; one at a time.
  package static func observe(_ onChange: (@Sendable () -> Void)?) {
    state.withLock { $0.onChange = onChange }
  }
}
