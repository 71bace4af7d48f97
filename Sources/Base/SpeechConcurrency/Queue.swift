/// A first-in, first-out queue. Removing the first element does not move the others.
package struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { elements.count - head }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ element: Element) { elements.append(element) }

  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      elements[head] = nil
      head += 1
      // Compacted only now and then, so that each element is moved once on average.
      if head > 32, head * 2 > elements.count {
        elements.removeFirst(head)
        head = 0
      }
    }
    return elements[head]
  }
}

extension Queue: Sendable where Element: Sendable {}
