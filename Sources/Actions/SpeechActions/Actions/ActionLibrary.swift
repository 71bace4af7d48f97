import SpeechText

/// The actions of a user, in order, no two of one id or name, with one as the default.
///
/// ```swift
/// var library = ActionLibrary.builtIn
/// let copy = try library.clone("translate")
/// try library.edit(copy) { $0.name = "Translate formally" }
/// try library.makeDefault(copy)
/// ```
/// Whatever throws, throws `ActionError` and changes nothing.
public struct ActionLibrary: Sendable, Hashable {
  /// All actions, archived ones included.
  public private(set) var all: [TextAction] = []
  /// The id of the action that is run where none is named; `nil` in a library without active actions.
  public private(set) var defaultID: String?

  /// An empty library.
  public init() {}

  /// A library with those actions.
  ///
  /// - Parameter defaultID: the default; the first active one if `nil`.
  /// - Throws: `ActionError.invalidName` when two share an id or a name; `notFound`.
  public init(_ actions: [TextAction], defaultID: String? = nil) throws(ActionError) {
    for action in actions { try add(action) }
    if let defaultID { try makeDefault(defaultID) }
  }

  /// The actions that are offered.
  public var active: [TextAction] { all.filter { !$0.isArchived } }

  /// Those that are kept but not offered.
  public var archived: [TextAction] { all.filter(\.isArchived) }

  /// The action that is run where none is named.
  public var defaultAction: TextAction? { defaultID.flatMap { id in all.first { $0.id == id } } }

  /// The action of that id or, whatever its case, of that name.
  ///
  /// - Throws: `ActionError.notFound`, with what it is likely to have been meant.
  public func action(_ name: String) throws(ActionError) -> TextAction {
    all[try index(of: name)]
  }

  /// Adds an action behind the others. The first active one becomes the default.
  public mutating func add(_ action: TextAction) throws(ActionError) {
    try check(action, besides: nil)
    all.append(action)
    settleDefault()
  }

  /// Changes an action, its id included.
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

  /// Adds a copy of an action, right behind it.
  ///
  /// - Parameter newName: the copy's name; `nil` for one that tells what it is.
  /// - Returns: the id of the copy.
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

  /// Keeps an action and offers it no more, or offers it again. The default is never an archived one.
  public mutating func archive(_ name: String, _ isArchived: Bool = true) throws(ActionError) {
    all[try index(of: name)].isArchived = isArchived
    settleDefault()
  }

  /// Removes an action for good.
  public mutating func remove(_ name: String) throws(ActionError) {
    all.remove(at: try index(of: name))
    settleDefault()
  }

  /// Makes an action the default. An archived one cannot be.
  public mutating func makeDefault(_ name: String) throws(ActionError) {
    let action = all[try index(of: name)]
    guard !action.isArchived else {
      throw .invalidName("“\(action.name)” is archived. Take it out of the archive first.")
    }
    defaultID = action.id
  }

  /// An id that is free and reminds of that name.
  package func freeID(for name: String) -> String {
    let base = Identifier.made(from: name)
    return all.contains { $0.id == base }
      ? (2...).lazy.map { "\(base)-\($0)" }.first { id in !all.contains { $0.id == id } } ?? base
      : base
  }

  private func index(of name: String) throws(ActionError) -> Int {
    if let index = all.firstIndex(where: { $0.id == name }) { return index }
    let lower = name.lowercased()
    if let index = all.firstIndex(where: { $0.name.lowercased() == lower }) { return index }
    throw .notFound(
      "There is no action “\(name)”." + NearestName.advice(on: name, among: all.map(\.id)))
  }

  private func check(_ action: TextAction, besides index: Int?) throws(ActionError) {
    try Identifier.check(action.id)
    guard !action.name.allSatisfy(\.isWhitespace) else {
      throw .invalidName("The action “\(action.id)” needs a name to be shown by.")
    }
    for (place, other) in all.enumerated() where place != index {
      guard other.id != action.id else {
        throw .invalidName("There is an action “\(action.id)” already. Choose another id.")
      }
      guard other.name.lowercased() != action.name.lowercased() else {
        throw .invalidName(
          "The action “\(other.id)” has the name “\(other.name)” already. Choose another one.")
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
