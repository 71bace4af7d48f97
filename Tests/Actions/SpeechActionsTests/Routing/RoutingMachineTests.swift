import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechActions

@Suite struct RoutingMachineTests {
  private static let modes: [RoutingRule.Mode] = [
    .sequential, .parallel, .firstSuccess, .hedged(after: .fixed(.seconds(1))),
  ]

  private func expect(
    _ steps: [RoutingMachine.Step], _ expected: [RoutingMachine.Step],
    _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(steps == expected, sourceLocation: place)
  }

  @Test func `hedging asks the next connector only when the first is late`() {
    var machine = RoutingMachine(.hedged(after: .fixed(.seconds(1))), count: 3)
    expect(machine.take(.begin), [.ask(0), .watch(0, token: 1)])
    expect(machine.take(.late(token: 1)), [.ask(1), .watch(1, token: 2)])
    expect(machine.take(.late(token: 1)), [])
    expect(machine.take(.began(1)), [.cancel(0, .lost)])
    expect(machine.take(.late(token: 2)), [])
    expect(machine.take(.succeeded(1)), [.conclude])
    #expect(machine.isOver)
  }

  @Test func `a connector that lost to one that failed later is asked again`() {
    var machine = RoutingMachine(.hedged(after: .fixed(.seconds(1))), count: 2)
    _ = machine.take(.begin)
    _ = machine.take(.late(token: 1))
    expect(machine.take(.began(1)), [.cancel(0, .lost)])
    expect(machine.take(.failed(1)), [.ask(0)])
    expect(machine.take(.succeeded(0)), [.conclude])
  }

  @Test func `a run without connectors ends at once`() {
    for mode in Self.modes {
      var machine = RoutingMachine(mode, count: 0)
      expect(machine.take(.begin), [.conclude])
    }
  }

  @Test func `the laws hold for events in any order`() {
    var random = SeededNumbers(seed: 5)
    for round in 0..<Endurance.count(full: 20_000, short: 2_000) {
      let mode = Self.modes[round % Self.modes.count]
      let count = 1 + random.next(4)
      var machine = RoutingMachine(mode, count: count)
      var running: Set<Int> = []
      var conclusions = 0
      var tokens = [0]
      var inputs: [RoutingMachine.Input] = [.begin]
      for _ in 0..<40 {
        let index = random.next(count)
        switch random.next(14) {
        case 0...3: inputs.append(.began(index))
        case 4...6: inputs.append(.succeeded(index))
        case 7...10: inputs.append(.failed(index))
        case 11, 12: inputs.append(.late(token: tokens[random.next(tokens.count)]))
        default: inputs.append(random.next(4) == 0 ? .cancel : .deadline)
        }
        let input = inputs.removeFirst()
        let wasOver = machine.isOver
        let steps = machine.take(input)
        if wasOver { #expect(steps.isEmpty) }
        switch input {
        case .succeeded(let index), .failed(let index): running.remove(index)
        default: break
        }
        for step in steps {
          switch step {
          case .ask(let index):
            let isNew = running.insert(index).inserted
            #expect(isNew)
          case .cancel(let index, _):
            let wasRunning = running.remove(index) != nil
            #expect(wasRunning)
          case .watch(let index, let token):
            #expect(running.contains(index))
            tokens.append(token)
          case .conclude: conclusions += 1
          }
        }
        #expect(machine.isOver == (conclusions == 1))
        if machine.isOver { #expect(running.isEmpty) } else { #expect(!running.isEmpty) }
      }
    }
  }
}
