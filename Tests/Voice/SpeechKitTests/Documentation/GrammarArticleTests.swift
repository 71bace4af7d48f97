import SpeechKit
import Testing

// What the article about commands shows.

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

@MainActor
func hearingCommands() throws {
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

/// It is true.
struct GrammarArticleTests {
  enum Command: Decodable, Equatable {
    case switchLight(state: String, room: Room)
    case wakeMe(time: SpokenTime)
  }

  private let file = """
    grammar: home

    intent switch_light:
      [please] turn {state} [the] {room} (light | lights)
    intent wake_me: wake me at {time}

    slot state: on | off
    slot room:
      kitchen
      living room -> living_room
    """

  @Test func `a sentence is parsed into a command`() throws {
    #expect(try CommandGrammar(template: file) == home)
    let matcher = try CommandMatcher(home)
    let match = try #require(matcher.match("Please turn off the living room lights."))
    #expect(match.intent == "switch_light")
    #expect(match["room"]?.code == "living_room")
    #expect(match["room"]?.words == 4..<6)
    #expect(try match.decode(Command.self) == .switchLight(state: "off", room: .livingRoom))
    #expect(
      try matcher.match("wake me at 7:30pm")?.decode(Command.self)
        == .wakeMe(time: SpokenTime(hour: 19, minute: 30)))
  }

  @Test func `PocketSphinx accepts the grammar`() throws {
    let configuration = PocketSphinxConfiguration(search: .grammar(try home.jsgfText()))
    _ = try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en-US"))
  }
}
