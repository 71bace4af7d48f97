import SpeechKit

// What the article about commands shows; `GrammarArticleTests` prove what it says of it.

@MainActor
func hearingCommands() throws {
  enum Room: String, SlotValues, Decodable {
    case kitchen
    case livingRoom = "living_room"  // said “living room”
  }

  let home = CommandGrammar("home") {
    Intent("switch_light") {
      Optionally { "please" }
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
    Intent("wake_me") {
      "wake me at"
      Slot("time", .time)
    }
  }

  let ears = PocketSphinxRecognitionProvider(
    configuration: PocketSphinxConfiguration(search: .grammar(try home.jsgfText())))
  print(ears.isListening)

  let matcher = try CommandMatcher(home)
  if let match = matcher.match("Please turn off the living room lights.") {
    print(match.intent)
    print(match["room"]?.code ?? "")
    print(match["room"]?.words ?? 0..<0)
  }

  guard let match = matcher.match("turn off the kitchen light") else { return }
  enum Command: Decodable {
    case switchLight(state: String, room: Room)
    case wakeMe(time: SpokenTime)
  }
  let command = try match.decode(Command.self)  // .switchLight(state: "off", room: .livingRoom)
  print(command)
}
