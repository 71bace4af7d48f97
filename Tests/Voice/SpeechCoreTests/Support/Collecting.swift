import SpeechConcurrency
import SpeechCore
import Synchronization

extension AsyncSequence where Failure == Never {
  /// All elements to the end of the sequence.
  nonisolated(nonsending) func collected() async -> [Element] {
    var elements: [Element] = []
    for await element in self { elements.append(element) }
    return elements
  }

  /// The first element that satisfies the condition.
  nonisolated(nonsending) func waitFor(_ fits: @Sendable (Element) -> Bool) async -> Element? {
    for await element in self where fits(element) { return element }
    return nil
  }
}

/// Collects values from anywhere.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock { $0 } }

  func add(_ value: Value) { state.withLock { $0.append(value) } }
}

/// Blocks its waiters until it is opened.
final class Gate: Sendable {
  private let opening = Broadcast<Void>()

  func open() { opening.finish() }

  func pass() async {
    for await _ in opening.stream() {}
  }
}
