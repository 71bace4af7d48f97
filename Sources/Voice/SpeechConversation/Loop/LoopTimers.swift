/// The tasks of a loop that wait for a time, or relay the engine's events.
struct LoopTimers {
  /// Calls the machine at its deadline.
  var alarm: (time: Duration, task: Task<Void, Never>)?
  /// Ends an earcon whose output makes no progress.
  var earcon: Task<Void, Never>?
  /// Relay the voice's events and positions.
  var relays: [Task<Void, Never>] = []

  mutating func cancel() {
    alarm?.task.cancel()
    alarm = nil
    earcon?.cancel()
    for relay in relays { relay.cancel() }
  }
}
