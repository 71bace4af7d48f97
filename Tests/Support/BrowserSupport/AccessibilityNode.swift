import AIServices

/// What a screen reader is told of a part of a page.
public struct AccessibilityNode: Sendable, Hashable {
  /// What it is, like `button`.
  public var role: String
  /// What it is called.
  public var name: String
  /// The level of a heading.
  public var level: Int?
  /// Whether it can have the focus.
  public var isFocusable: Bool
  /// What more is said of it, like `expanded` or `live`.
  public var properties: [String: String]
  /// How deep it is in the tree.
  public var depth: Int
}

extension BrowserPage {
  /// All that a screen reader is told, in the order in which it reads.
  public func accessibilityTree() async throws -> [AccessibilityNode] {
    struct Tree: Decodable, Sendable { var nodes: [RawNode] }
    let nodes = try await call("Accessibility.getFullAXTree", as: Tree.self).nodes
    let byID = Dictionary(nodes.map { ($0.nodeId, $0) }) { first, _ in first }
    var found: [AccessibilityNode] = []
    var waiting = nodes.first.map { [($0.nodeId, 0)] } ?? []
    while let (id, depth) = waiting.popLast() {
      guard let node = byID[id] else { continue }
      if !node.ignored { found.append(node.node(depth)) }
      let below = depth + (node.ignored ? 0 : 1)
      waiting += (node.childIds ?? []).reversed().map { ($0, below) }
    }
    return found
  }

  private struct RawNode: Decodable, Sendable {
    struct Text: Decodable { var value: SendableValue? }
    struct Property: Decodable {
      var name: String
      var value: Text
    }
    var nodeId: String
    var ignored: Bool
    var role: Text?
    var name: Text?
    var properties: [Property]?
    var childIds: [String]?

    func node(_ depth: Int) -> AccessibilityNode {
      var all: [String: String] = [:]
      for property in properties ?? [] {
        switch property.value.value {
        case .string(let text): all[property.name] = text
        case .int(let number): all[property.name] = String(number)
        case .bool(let flag): all[property.name] = String(flag)
        default: continue
        }
      }
      return AccessibilityNode(
        role: role?.value?.stringValue ?? "", name: name?.value?.stringValue ?? "",
        level: all["level"].flatMap { Int($0) }, isFocusable: all["focusable"] == "true",
        properties: all, depth: depth)
    }
  }
}

extension [AccessibilityNode] {
  /// Those of a role.
  public func of(_ role: String) -> [AccessibilityNode] { filter { $0.role == role } }

  /// The tree as text, a line for each, for the failure of a test.
  public var outline: String {
    map { String(repeating: "  ", count: $0.depth) + "\($0.role) “\($0.name)”" }
      .joined(separator: "\n")
  }
}
