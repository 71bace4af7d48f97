/// Advises how to tell two confused commands apart.
struct ConfusionAdvice {
  let words: PocketSphinxWords

  /// The share of differing sounds below which words sound alike.
  private static let alike = 0.5
  /// The number of sounds up to which a word is easily lost in noise.
  private static let short = 3

  func text(
    heard: String, parts: [ConfusionReport.WordConfusion], isSame: Bool, isInNoiseOnly: Bool
  ) throws -> String {
    if isSame { return "Harmless: both mean the same." }
    if heard.isEmpty {
      return "Nothing was recognised. Use longer words, which survive noise better."
    }
    let noise =
      isInNoiseOnly
      ? " It happens in noise only, so asking for confirmation helps as well." : ""
    guard parts.count == 1, let part = parts.first else {
      let list = parts.map { Self.named($0) }.joined(separator: ", ")
      return "They differ in \(parts.count) places (\(list)) and are still confused: "
        + "reword the shorter one.\(noise)"
    }
    if part.said.isEmpty || part.heard.isEmpty {
      let word = part.said + part.heard
      let length = try shortest(of: word)
      let reason =
        length.map { $0 <= Self.short ? ", which is short and easily missed or inserted" : "" }
        ?? ""
      return
        "Only “\(word)” tells them apart\(reason). Put the difference into a longer word, or let "
        + "both mean the same.\(noise)"
    }
    guard let distance = try distance(part.said, part.heard), distance.share < Self.alike else {
      if isInNoiseOnly {
        return
          "They have little in common: noise masked the command. A confidence threshold rejects "
          + "such results; `speechkit grammar calibrate` finds it."
      }
      return "“\(part.said)” and “\(part.heard)” differ in most of their sounds. Check "
        + "their pronunciations with `speechkit words explain`, and reword one of them if both are "
        + "right."
    }
    let difference =
      distance.differing == 0
      ? "they are pronounced alike"
      : "of \(distance.count) sounds \(distance.differing) "
        + "\(distance.differing == 1 ? "differs" : "differ")"
    return
      "“\(part.said)” and “\(part.heard)” sound nearly alike: \(difference). Replace one of them "
      + "by a word with other sounds, or let both mean the same.\(noise)"
  }

  private static func named(_ part: ConfusionReport.WordConfusion) -> String {
    if part.said.isEmpty { return "“\(part.heard)” is added" }
    if part.heard.isEmpty { return "“\(part.said)” is missing" }
    return "“\(part.said)” becomes “\(part.heard)”"
  }

  /// Returns the share of differing sounds between the most similar pronunciations; `nil` if a
  /// pronunciation is unknown.
  private func distance(
    _ one: String, _ other: String
  ) throws -> (differing: Int, count: Int, share: Double)? {
    let others = try phones(of: other)
    let all = try phones(of: one).flatMap { phones in
      others.map { (Alignment.distance(phones, $0), max(phones.count, $0.count)) }
    }
    guard let best = all.min(by: { $0.0 * $1.1 < $1.0 * $0.1 }), best.1 > 0 else { return nil }
    return (best.0, best.1, Double(best.0) / Double(best.1))
  }

  private func shortest(of text: String) throws -> Int? { try phones(of: text).map(\.count).min() }

  /// Returns the pronunciations of the words.
  private func phones(of text: String) throws -> [[String]] {
    var ways: [[String]] = [[]]
    for word in text.split(separator: " ") {
      let next = try words.explain(String(word)).pronunciations.prefix(3).map(\.phones)
      ways = ways.flatMap { way in next.map { way + $0 } }
      guard ways.count <= 100 else { return Array(ways.prefix(100)) }
    }
    return ways
  }
}
