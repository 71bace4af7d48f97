@testable import SpeechGrammar

enum Room: String, SlotValues, Codable {
  case kitchen
  case livingRoom = "living_room"
  case bathroom

  var spoken: [String] {
    switch self {
    case .bathroom: ["bath", "bath room"]
    default: [rawValue.split(separator: "_").joined(separator: " ")]
    }
  }
}

/// The same grammar in Swift and as a template.
enum Home {
  static let template = """
    # Lights, alarms and numbers.
    grammar: home

    intent switch_light:
      [<polite>] turn {state} [the] {room} (light | lights)
      /3/ lights {state}

    intent wake_me: wake me at {time}   # behind the colon
    intent dial:
      dial {digit: number 0..9}*3..8
    intent dim /0.5/: dim [the] {room} to {level} [percent]
    intent remind: remind me {when} in {wait: duration} or {day: date}
    intent move: move it from {from: room} to {to: room}
    intent say: say (yes | no)+

    rule polite:
      please
      would you kindly

    slot state: on | off
    slot room:
      kitchen
      living room -> living_room
      bath | bath room -> bathroom
    slot level: number 0 to 100
    slot when: time
    """

  static let grammar = CommandGrammar("home") {
    Intent("switch_light") {
      OneOf {
        Phrase {
          Optionally { Rule("polite") }
          "turn"
          Slot("state") {
            "on"
            "off"
          }
          Optionally { "the" }
          Slot("room", Room.self)
          OneOf {
            "light"
            "lights"
          }
        }
        Weighted(3) {
          "lights"
          Slot("state") {
            "on"
            "off"
          }
        }
      }
    }
    Intent("wake_me") {
      "wake me at"
      Slot("time", .time)
    }
    Intent("dial") {
      "dial"
      Repeatedly(3...8) { Slot("digit", .number(0...9)) }
    }
    Intent("dim", weight: 0.5) {
      "dim"
      Optionally { "the" }
      Slot("room", Room.self)
      "to"
      Slot("level", .number(0...100))
      Optionally { "percent" }
    }
    Intent("remind") {
      "remind me"
      Slot("when", .time)
      "in"
      Slot("wait", .duration)
      "or"
      Slot("day", .date)
    }
    Intent("move") {
      "move it from"
      Slot("from", Room.self)
      "to"
      Slot("to", Room.self)
    }
    Intent("say") {
      "say"
      Repeatedly {
        OneOf {
          "yes"
          "no"
        }
      }
    }
    Rule("polite") {
      OneOf {
        "please"
        "would you kindly"
      }
    }
  }

  static func matcher() throws -> CommandMatcher { try CommandMatcher(grammar) }
}

/// A grammar whose one intent is a slot of that type.
func slotMatcher(_ type: SlotType) throws -> CommandMatcher {
  try CommandMatcher(CommandGrammar("slot") { Intent("it") { Slot("slot", type) } })
}

extension GrammarDiagnostic.Kind {
  var isTooLarge: Bool {
    if case .tooLarge = self { true } else { false }
  }

  var isBadRange: Bool {
    if case .badRange = self { true } else { false }
  }
}
