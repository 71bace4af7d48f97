import Foundation
import SpeechKit

/// A grammar of any number of commands for a house: each larger one contains the smaller ones.
struct GrowingGrammar {
  let sentences: [String]

  private static let most = verbs.count * rooms.count * things.count

  init(sentences count: Int) {
    // A step without a common divisor reaches each sentence once, and mixes them.
    sentences = (0..<min(count, Self.most)).map { Self.sentence($0 * 7_919 % Self.most) }
  }

  private static func sentence(_ index: Int) -> String {
    let (verb, rest) = (index % verbs.count, index / verbs.count)
    return "\(verbs[verb]) the \(rooms[rest % rooms.count]) \(things[rest / rooms.count])"
  }

  func write(to url: URL) throws {
    let text = "#JSGF V1.0;\ngrammar house;\npublic <command> =\n  "
    try (text + sentences.joined(separator: "\n  | ") + ";\n")
      .write(to: url, atomically: true, encoding: .utf8)
  }

  private static let verbs = [
    "turn on", "turn off", "open", "close", "check", "clean", "repair", "move", "sell", "lock",
  ]
  private static let rooms = [
    "kitchen", "bedroom", "bathroom", "garage", "cellar", "attic", "office", "garden", "balcony",
    "library", "nursery", "hallway", "studio", "pantry", "laundry", "workshop", "guest room",
    "dining room", "living room", "playroom", "porch", "stable", "tower", "basement", "terrace",
  ]
  private static let things = [
    "lamp", "window", "door", "heater", "radio", "television", "fan", "curtain", "cabinet",
    "mirror", "table", "carpet", "clock", "camera", "computer", "speaker", "fountain", "printer",
    "telephone", "piano", "shower", "oven", "freezer", "blanket", "ladder", "painting", "sofa",
    "drawer", "chimney", "faucet", "mattress", "cushion", "kettle", "toaster", "dishwasher",
    "vacuum cleaner", "air conditioner", "bookshelf", "candle", "projector",
  ]
}
