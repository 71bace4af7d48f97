/// The actions of a user, in order, with unique ids and names. One of them is the default.
///
/// ```swift
/// var library = ActionLibrary.builtIn
/// let copy = try library.clone("translate")
/// try library.edit(copy) { $0.name = "Translate formally" }
/// try library.makeDefault(copy)
/// ```
/// Methods that throw an `ActionError` change nothing.
public struct ActionLibrary: Sendable, Hashable {
  /// All actions, including archived ones.
  public private(set) var all: [TextAction] = []
  /// The id of the default action; `nil` in a library without active actions.
  public private(set) var defaultID: String?

  /// Creates a library without actions.
  public init() {}

  /// Creates a library from a list of actions.
  ///
  /// - Parameter defaultID: The id of the default action; the first active one if `nil`.
  /// - Throws: `ActionError.invalidName` if two actions share an id or a name; `notFound`.
  public init(_ actions: [TextAction], defaultID: String? = nil) throws(ActionError) {
    for action in actions { try add(action) }
    if let defaultID { try makeDefault(defaultID) }
  }

  /// The actions that are not archived.
  public var active: [TextAction] { all.filter { !$0.isArchived } }

  /// The archived actions, which are not offered to the user.
  public var archived: [TextAction] { all.filter(\.isArchived) }

  /// The action that runs when no other is named.
  public var defaultAction: TextAction? { defaultID.flatMap { id in all.first { $0.id == id } } }

  /// Returns the action with an id or, ignoring case, with a name.
  ///
  /// - Throws: `ActionError.notFound`, with the nearest name.
  public func action(_ name: String) throws(ActionError) -> TextAction {
    all[try index(of: name)]
  }

  /// Adds an action at the end. The first active action becomes the default.
  public mutating func add(_ action: TextAction) throws(ActionError) {
    try check(action, besides: nil)
    all.append(action)
    settleDefault()
  }

  /// Changes an action, which may include its id.
  public mutating func edit(
    _ name: String, _ change: (inout TextAction) throws -> Void
  ) throws {
    let index = try index(of: name)
    var action = all[index]
    try change(&action)
    try check(action, besides: index)
    if defaultID == all[index].id { defaultID = action.id }
    all[index] = action
    settleDefault()
  }

  /// Adds a copy of an action, directly after it.
  ///
  /// - Parameter newName: The name of the copy; derived from the original's if `nil`.
  /// - Returns: The id of the copy.
  @discardableResult
  public mutating func clone(
    _ name: String, as newName: String? = nil
  ) throws(ActionError) -> String {
    let index = try index(of: name)
    var copy = all[index]
    copy.isArchived = false
    copy.name = newName ?? free(copy.name + " (copy") { all.map(\.name).contains($0) }
    copy.id = freeID(for: newName ?? copy.id + "-copy")
    try check(copy, besides: nil)
    all.insert(copy, at: index + 1)
    settleDefault()
    return copy.id
  }

  /// Archives or restores an action. An archived action cannot be the default.
  public mutating func archive(_ name: String, _ isArchived: Bool = true) throws(ActionError) {
    all[try index(of: name)].isArchived = isArchived
    settleDefault()
  }

  /// Removes an action permanently.
  public mutating func remove(_ name: String) throws(ActionError) {
    all.remove(at: try index(of: name))
    settleDefault()
  }

  /// Makes an active action the default.
  public mutating func makeDefault(_ name: String) throws(ActionError) {
    let action = all[try index(of: name)]
    guard !action.isArchived else {
      throw .invalidName("“\(action.name)” is archived. Restore it first.")
    }
    defaultID = action.id
  }

  /// Returns an unused id that resembles a name.
  package func freeID(for name: String) -> String {
    Identifier.free(for: name, besides: all.map(\.id))
  }

  private func index(of name: String) throws(ActionError) -> Int {
    try Identifier.index(of: name, in: all.map { ($0.id, $0.name) }, noun: "action")
  }

  private func check(_ action: TextAction, besides index: Int?) throws(ActionError) {
    try Identifier.check(action.id)
    guard !action.name.allSatisfy(\.isWhitespace) else {
      throw .invalidName("The action “\(action.id)” needs a name.")
    }
    for (place, other) in all.enumerated() where place != index {
      guard other.id != action.id else {
        throw .invalidName("There is already an action “\(action.id)”. Choose another id.")
      }
      guard other.name.lowercased() != action.name.lowercased() else {
        throw .invalidName(
          "The action “\(other.id)” already has the name “\(other.name)”. Choose another one.")
      }
    }
  }

  private mutating func settleDefault() {
    if defaultAction.map({ !$0.isArchived }) != true { defaultID = active.first?.id }
  }

  private func free(_ base: String, isTaken: (String) -> Bool) -> String {
    let first = base + ")"
    guard isTaken(first) else { return first }
    return (2...).lazy.map { "\(base) \($0))" }.first { !isTaken($0) } ?? first
  }
}
