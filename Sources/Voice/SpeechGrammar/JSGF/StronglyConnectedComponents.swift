/// The strongly connected components of a graph of names, by Tarjan's algorithm, without recursion
/// because a grammar may chain thousands of rules.
struct StronglyConnectedComponents {
  private var component: [String: Int] = [:]
  private var selfLoops: Set<String> = []
  private var sizes: [Int] = []

  init(of names: [String], edges: [String: [String]]) {
    var search = Search(edges: edges)
    for name in names where search.order[name] == nil { search.visit(name) }
    component = search.component
    sizes = search.sizes
    for (name, targets) in edges where targets.contains(name) { selfLoops.insert(name) }
  }

  /// True if an edge between the two lies on a cycle.
  func areInOneCircle(_ a: String, _ b: String) -> Bool {
    if a == b { return selfLoops.contains(a) }
    guard let number = component[a], number == component[b] else { return false }
    return sizes[number] > 1
  }

  /// True if a path leads from the name back to it.
  func isInCircle(_ name: String) -> Bool {
    selfLoops.contains(name) || component[name].map { sizes[$0] > 1 } ?? false
  }

  private struct Search {
    let edges: [String: [String]]
    var order: [String: Int] = [:]
    var low: [String: Int] = [:]
    var path: [String] = []
    var onPath: Set<String> = []
    var component: [String: Int] = [:]
    var sizes: [Int] = []

    mutating func visit(_ root: String) {
      var work = [(name: root, next: 0)]
      while let (name, next) = work.popLast() {
        if next == 0 { open(name) }
        let targets = edges[name] ?? []
        if next > 0 { low[name] = min(low[name] ?? 0, low[targets[next - 1]] ?? 0) }
        var index = next
        var descended = false
        while index < targets.count, !descended {
          let target = targets[index]
          if order[target] == nil {
            work.append((name, index + 1))
            work.append((target, 0))
            descended = true
          } else if onPath.contains(target) {
            low[name] = min(low[name] ?? 0, order[target] ?? 0)
          }
          index += 1
        }
        if !descended { close(name) }
      }
    }

    private mutating func open(_ name: String) {
      order[name] = order.count
      low[name] = order[name]
      path.append(name)
      onPath.insert(name)
    }

    private mutating func close(_ name: String) {
      guard low[name] == order[name] else { return }
      var size = 0
      while let last = path.popLast() {
        onPath.remove(last)
        component[last] = sizes.count
        size += 1
        if last == name { break }
      }
      sizes.append(size)
    }
  }
}
