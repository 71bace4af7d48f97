/// The spoken form of a `say-as` element's content, where the library does not provide it.
enum SpokenForm {
  /// Returns the text to speak: dates and ordinals in English word order, telephone numbers digit
  /// by digit. Content that is not recognised is returned unchanged.
  static func of(
    _ text: [Unicode.Scalar], as kind: String, format: String, language: String
  ) -> [Unicode.Scalar] {
    let string = text.reduce(into: "") { $0.unicodeScalars.append($1) }
    let trimmed = string.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard trimmed.utf8.count <= 100 else { return text }
    let spoken: String? =
      switch kind {
      case "telephone": telephone(trimmed)
      case "ordinal" where language == "en": ordinal(trimmed)
      case "date" where language == "en": date(trimmed, format)
      case "time" where language == "en": time(trimmed)
      default: nil
      }
    return spoken.map { Array($0.unicodeScalars) } ?? text
  }

  private static func telephone(_ text: String) -> String {
    let spaced = text.map { $0.isASCII && $0.isNumber ? "\($0) " : $0 == "+" ? "+ " : ", " }
    return spaced.joined().replacing(", , ", with: ", ")
  }

  private static func ordinal(_ text: String) -> String? {
    guard let number = Int(text), number >= 0 else { return nil }
    let ending =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func date(_ text: String, _ format: String) -> String? {
    let fields = text.split { $0 == "-" || $0 == "/" || $0 == "." || $0 == " " }.map(String.init)
    var order = Array(format)
    if order.isEmpty {
      order = fields.first?.count == 4 ? ["y", "m", "d"] : ["m", "d", "y"]
    }
    guard fields.count == order.count else { return nil }
    var values: [Character: Int] = [:]
    for (key, field) in zip(order, fields) {
      guard let number = Int(field), number >= 0 else { return nil }
      values[key] = number
    }
    var spoken: [String] = []
    if let month = values["m"] {
      guard (1...12).contains(month) else { return nil }
      spoken.append(months[month - 1])
    }
    if let day = values["d"] {
      guard (1...31).contains(day) else { return nil }
      spoken.append(ordinal(String(day)) ?? "")
    }
    if let year = values["y"] { spoken.append(String(year)) }
    return spoken.isEmpty ? nil : spoken.joined(separator: " ")
  }

  private static func time(_ text: String) -> String? {
    let fields = text.split(separator: ":").map { Int($0) }
    guard fields.count == 2 || fields.count == 3, let hours = fields[0], let minutes = fields[1],
      (0..<24).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    if minutes == 0 { return "\(hours) o'clock" }
    return minutes < 10 ? "\(hours) oh \(minutes)" : "\(hours) \(minutes)"
  }
}
