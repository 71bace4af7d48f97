import AIServices

/// A part of a page as a screen reader receives it.
public struct AccessibilityNode: Sendable, Hashable {
  /// The role, such as `button`.
  public var role: String
  /// The accessible name.
  public var name: String
  /// The level of a heading.
  public var level: Int?
  /// True if it can have the focus.
  public var isFocusable: Bool
  /// Further properties, such as `expanded` or `live`.
  public var properties: [String: String]
  /// The depth in the tree.
  public var depth: Int
}

extension BrowserPage {
  /// Everything that a screen reader receives, in reading order.
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
  /// The nodes of a role.
  public func of(_ role: String) -> [AccessibilityNode] { filter { $0.role == role } }

  /// The tree as text with a line for each node, for the messages of failed tests.
  public var outline: String {
    map { String(repeating: "  ", count: $0.depth) + "\($0.role) “\($0.name)”" }
      .joined(separator: "\n")
  }
}
