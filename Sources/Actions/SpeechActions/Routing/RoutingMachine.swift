/// Decides which connectors to ask and to cancel: inputs in, steps out.
///
/// Connectors are identified by their index in the rule.
struct RoutingMachine: Sendable {
  enum Input: Sendable, Hashable {
    case begin
    /// The first token of an answer arrived.
    case began(Int)
    case succeeded(Int)
    case failed(Int)
    /// The time after which a connector counts as late has passed.
    case late(token: Int)
    case deadline
    case cancel
  }

  enum Step: Sendable, Hashable {
    case ask(Int)
    case cancel(Int, CancellationReason)
    /// Send a `late` input with the token when the connector is late.
    case watch(Int, token: Int)
    case conclude
  }

  enum Phase: Sendable, Hashable {
    case idle
    case asked
    case succeeded
    case failed
    case cancelled(CancellationReason)
  }

  private(set) var phases: [Phase]
  private(set) var isOver = false
  private let mode: ModeName
  /// The connector whose first token arrived first.
  private var leader: Int?
  /// The token of the current watch. Older tokens are ignored.
  private var token = 0

  init(_ mode: RoutingRule.Mode, count: Int) {
    phases = Array(repeating: .idle, count: count)
    self.mode = mode.name
  }

  mutating func take(_ input: Input) -> [Step] {
    guard !isOver else { return [] }
    switch input {
    case .begin: return begin()
    case .cancel: return conclude(cancelling: .user)
    case .deadline: return conclude(cancelling: .deadline)
    case .late(let token):
      guard token == self.token, leader == nil else { return [] }
      return askNext()
    case .began(let index):
      guard phases[index] == .asked else { return [] }
      return lead(index)
    case .succeeded(let index):
      guard phases[index] == .asked else { return [] }
      // An empty answer has not begun before.
      let steps = lead(index)
      phases[index] = .succeeded
      if mode == .parallel { return steps + concludeIfDone() }
      return steps + conclude(cancelling: .lost)
    case .failed(let index):
      guard phases[index] == .asked else { return [] }
      phases[index] = .failed
      return proceed(without: index)
    }
  }

  private mutating func begin() -> [Step] {
    switch mode {
    case .sequential, .hedged: return askNext() + concludeIfDone()
    case .parallel, .firstSuccess: return phases.indices.flatMap { ask($0) } + concludeIfDone()
    }
  }

  private mutating func ask(_ index: Int) -> [Step] {
    phases[index] = .asked
    return [.ask(index)]
  }

  private mutating func askNext() -> [Step] {
    guard let next = phases.firstIndex(of: .idle) else { return [] }
    let steps = ask(next)
    guard mode == .hedged, phases.contains(.idle) else { return steps }
    token += 1
    return steps + [.watch(next, token: token)]
  }

  private mutating func lead(_ index: Int) -> [Step] {
    guard mode == .hedged, leader == nil else { return [] }
    leader = index
    token += 1
    return cancel(.lost) { $0 != index }
  }

  private mutating func proceed(without index: Int) -> [Step] {
    switch mode {
    case .parallel, .firstSuccess: return concludeIfDone()
    case .sequential: return askNext() + concludeIfDone()
    case .hedged:
      if leader == index {
        leader = nil
        // Connectors that lost to one that failed later may be asked again.
        for other in phases.indices where phases[other] == .cancelled(.lost) {
          phases[other] = .idle
        }
      }
      return askNext() + concludeIfDone()
    }
  }

  private mutating func cancel(
    _ reason: CancellationReason, where condition: (Int) -> Bool = { _ in true }
  ) -> [Step] {
    phases.indices.filter { phases[$0] == .asked && condition($0) }.map { index in
      phases[index] = .cancelled(reason)
      return .cancel(index, reason)
    }
  }

  private mutating func conclude(cancelling reason: CancellationReason) -> [Step] {
    isOver = true
    return cancel(reason) + [.conclude]
  }

  private mutating func concludeIfDone() -> [Step] {
    guard !phases.contains(.asked) else { return [] }
    isOver = true
    return [.conclude]
  }
}
