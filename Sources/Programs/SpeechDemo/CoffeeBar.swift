/// The barista of the demo, who asks three questions and keeps track of the order.
///
/// It answers the *recognised* text, so a misheard line gets the wrong answer.
struct CoffeeBar: Sendable {
  private(set) var drink: String?
  private(set) var size: String?
  private(set) var milk: String?
  private(set) var isConfirmed = false
  private(set) var isOver = false

  static let greeting = "Good morning. What can I get you?"

  private static let drinks = [
    "cappuccino", "espresso", "latte", "mocha", "americano", "black coffee", "tea",
  ]
  private static let sizes = ["small", "medium", "large"]
  private static let milks = ["whole milk", "skim milk", "soy milk", "almond milk", "no milk"]
  private static let drinksWithoutMilk: Set = ["espresso", "americano", "black coffee"]

  /// Takes a line of the guest and returns the answer.
  mutating func answer(to heard: String) -> String {
    let words = heard.lowercased()
    let isChanged = note(words)
    if isConfirmed { return isChanged ? confirm() : sayGoodbye() }
    if isChanged { return ask() }
    if words.hasPrefix("no") { return drink == nil ? sayGoodbye() : "What shall I change?" }
    if words.contains("yes") || words.contains("right"), missing == nil { return confirm() }
    if words.contains("bye") || words.contains("thank") { return sayGoodbye() }
    return "Sorry, I did not get that. " + ask()
  }

  /// The next question; `nil` if the order is complete.
  private var missing: String? {
    guard let drink else { return "What can I get you?" }
    if size == nil { return "Small, medium or large?" }
    if milk == nil, !Self.drinksWithoutMilk.contains(drink) {
      return "Which milk: whole, skim, soy, almond, or none?"
    }
    return nil
  }

  /// The order in words: `a large latte with soy milk`.
  private var order: String {
    let named = [size, drink].compactMap { $0 }.joined(separator: " ")
    let article = "aeiou".contains(named.first ?? "x") ? "an" : "a"
    let addition =
      switch milk {
      case nil: ""
      case "no milk"?: " without milk"
      case let milk?: " with \(milk)"
      }
    return "\(article) \(named)\(addition)"
  }

  /// Updates the order, and returns true if it changed.
  private mutating func note(_ words: String) -> Bool {
    let before = (drink, size, milk)
    drink = Self.drinks.first(where: words.contains) ?? drink
    size = Self.sizes.first(where: words.contains) ?? size
    milk = Self.milks.first(where: words.contains) ?? milk
    return before != (drink, size, milk)
  }

  private func ask() -> String {
    guard drink != nil else { return missing ?? "" }
    let opening = order.prefix(1).uppercased() + order.dropFirst()
    return missing.map { "\(opening). \($0)" } ?? "So that is \(order). Is that right?"
  }

  private mutating func confirm() -> String {
    if let missing { return missing }
    isConfirmed = true
    return "Thank you. I am making \(order). Anything else?"
  }

  private mutating func sayGoodbye() -> String {
    isOver = true
    return drink.map { "Goodbye, and enjoy your \($0)." } ?? "Goodbye."
  }
}
