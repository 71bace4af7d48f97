/// A grammar as a network of words, in which every path is a sentence.
///
/// Rules and slots are expanded, so that a node determines all continuations of a sentence. Cycles
/// exist for repetitions only, and each has a word on it.
struct GrammarNetwork: Sendable {
  typealias NodeIndex = Int32

  enum Node: Sendable {
    /// The end of a sentence.
    case accept
    case word(Int32, next: NodeIndex)
    /// Continues with one of several branches; the index is that of `choices`.
    case choice(Int32)
    /// An event between two words; the index is that of `events`.
    case event(Int32, next: NodeIndex)
    /// Continues with another node.
    case jump(NodeIndex)
  }

  struct Branch: Sendable {
    var target: NodeIndex
    /// The logarithm of the weight in millionths: integers, so that sums can be compared.
    var weight: Int
  }

  struct Choice: Sendable {
    var branches: [Branch]
    /// The branches that may begin with a word, and those that always have to be tried; `nil` if it
    /// is faster to try all.
    var byWord: [Int32: [Int32]]?
    var always: [Int32] = []
  }

  enum Event: Sendable, Hashable {
    case intent(Int32)
    case slotBegin(Int32)
    case slotEnd
    case tag(String)
  }

  struct SlotDescription: Sendable, Hashable {
    var name: String
    var type: SlotType
  }

  var nodes: [Node] = [.accept]
  var choices: [Choice] = []
  var events = Numbered<Event>()
  var intents: [String] = []
  var slots = Numbered<SlotDescription>()
  /// The words as they are written.
  private(set) var words = Numbered<String>()
  var start: NodeIndex = 0

  /// The numbers of words, by their keys.
  private(set) var wordNumbers: [String: [Int32]] = [:]

  mutating func add(_ node: Node) -> NodeIndex {
    nodes.append(node)
    return NodeIndex(nodes.count - 1)
  }

  /// Words that differ in capital letters only are distinct in the output but equal in the input.
  mutating func number(ofWord text: String) -> Int32 {
    let known = words.count
    let number = words.number(of: text)
    if words.count > known { wordNumbers[WrittenWord.key(text), default: []].append(number) }
    return number
  }
}

/// Values with numbers in the order of their first occurrence.
struct Numbered<Value: Hashable & Sendable>: Sendable {
  private var values: [Value] = []
  private var numbers: [Value: Int32] = [:]

  var count: Int { values.count }

  subscript(number: Int32) -> Value { values[Int(number)] }

  mutating func number(of value: Value) -> Int32 {
    if let number = numbers[value] { return number }
    let number = Int32(values.count)
    values.append(value)
    numbers[value] = number
    return number
  }
}
