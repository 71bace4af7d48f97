extension AsyncSequence where Failure == Never {
  /// All elements to the end of the sequence.
  nonisolated(nonsending) func collected() async -> [Element] {
    var elements: [Element] = []
    for await element in self { elements.append(element) }
    return elements
  }
}
