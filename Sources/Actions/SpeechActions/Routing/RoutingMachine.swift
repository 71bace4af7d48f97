/// Decides who is asked when, and who is called off: what happens goes in, what is to be done comes out.
///
/// Connectors are numbers here, in the order of the rule.
struct RoutingMachine: Sendable {
  /// What happens.
  enum Input: Sendable, Hashable {
    case begin
    /// The first word of an answer.
    case began(Int)
    /// A whole answer.
    case succeeded(Int)
    case failed(Int)
    /// The time after which a connector counts as late is over.
    case late(token: Int)
    case deadline
    case cancel
  }

  /// What is to be done.
  enum Step: Sendable, Hashable {
    case ask(Int)
    case callOff(Int, CancellationReason)
    /// Tell with that token when the connector is late.
    case watch(Int, token: Int)
    case conclude
  }

  enum Phase: Sendable, Hashable {
    case idle
    case asked
    case succeeded
    case failed
    case calledOff(CancellationReason)
  }

  private enum Way {
    case sequential
    case parallel
    case race
    case hedge
  }

  private(set) var phases: [Phase]
  private(set) var isOver = false
  private let way: Way
  /// Whose first word came first.
  private var leader: Int?
  /// The token of the watch that counts; older ones are of no interest.
  private var token = 0

  init(_ mode: RoutingRule.Mode, count: Int) {
    phases = Array(repeating: .idle, count: count)
    way =
      switch mode {
      case .sequential: .sequential
      case .parallel: .parallel
      case .firstSuccess: .race
      case .hedged: .hedge
      }
  }

  mutating func take(_ input: Input) -> [Step] {
    guard !isOver else { return [] }
    switch input {
    case .begin: return begin()
    case .cancel: return conclude(callingOff: .user)
    case .deadline: return conclude(callingOff: .deadline)
    case .late(let token):
      guard token == self.token, leader == nil else { return [] }
      return askNext()
    case .began(let index):
      guard phases[index] == .asked else { return [] }
      return lead(index)
    case .succeeded(let index):
      guard phases[index] == .asked else { return [] }
      // An answer without a word has not begun.
      let steps = lead(index)
      phases[index] = .succeeded
      if way == .parallel { return steps + concludeIfDone() }
      return steps + conclude(callingOff: .lost)
    case .failed(let index):
      guard phases[index] == .asked else { return [] }
      phases[index] = .failed
      return goOn(without: index)
    }
  }

  private mutating func begin() -> [Step] {
    switch way {
    case .sequential, .hedge: return askNext() + concludeIfDone()
    case .parallel, .race: return phases.indices.flatMap { ask($0) } + concludeIfDone()
    }
  }

  private mutating func ask(_ index: Int) -> [Step] {
    phases[index] = .asked
    return [.ask(index)]
  }

  private mutating func askNext() -> [Step] {
    guard let next = phases.firstIndex(of: .idle) else { return [] }
    let steps = ask(next)
    guard way == .hedge, phases.contains(.idle) else { return steps }
    token += 1
    return steps + [.watch(next, token: token)]
  }

  private mutating func lead(_ index: Int) -> [Step] {
    guard way == .hedge, leader == nil else { return [] }
    leader = index
    token += 1
    return callOff(.lost) { $0 != index }
  }

  private mutating func goOn(without index: Int) -> [Step] {
    switch way {
    case .parallel, .race: return concludeIfDone()
    case .sequential: return askNext() + concludeIfDone()
    case .hedge:
      if leader == index {
        leader = nil
        // Who lost to one that breaks off afterwards has done nothing wrong.
        for other in phases.indices where phases[other] == .calledOff(.lost) {
          phases[other] = .idle
        }
      }
      return askNext() + concludeIfDone()
    }
  }

  private mutating func callOff(
    _ reason: CancellationReason, where condition: (Int) -> Bool = { _ in true }
  ) -> [Step] {
    phases.indices.filter { phases[$0] == .asked && condition($0) }.map { index in
      phases[index] = .calledOff(reason)
      return .callOff(index, reason)
    }
  }

  private mutating func conclude(callingOff reason: CancellationReason) -> [Step] {
    isOver = true
    return callOff(reason) + [.conclude]
  }

  private mutating func concludeIfDone() -> [Step] {
    guard !phases.contains(.asked) else { return [] }
    isOver = true
    return [.conclude]
  }
}
