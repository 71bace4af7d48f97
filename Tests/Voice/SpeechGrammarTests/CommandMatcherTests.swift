import Foundation
import Testing

@testable import SpeechGrammar

@Suite struct CommandMatcherTests {
  @Test func `a sentence has an intent, slots with codes and the words of each`() throws {
    let matcher = try Home.matcher()
    let match = try #require(matcher.match("please turn off the living room lights"))
    #expect(match.intent == "switch_light")
    #expect(match["state"]?.code == "off")
    #expect(match["room"]?.code == "living_room")
    #expect(match["room"]?.text == "living room")
    #expect(match["room"]?.words == 4..<6)
    #expect(match["nothing"] == nil)
    #expect(matcher.match("please turn off the living room") == nil)
    #expect(matcher.match("turn off the living room lights please") == nil)
    #expect(matcher.match("") == nil)
    #expect(matcher.match("... !") == nil)
    #expect(matcher.match("turn on the bath light")?["room"]?.code == "bathroom")
  }

  @Test func `capital letters, punctuation and digits are normalised`() throws {
    let matcher = try Home.matcher()
    #expect(matcher.match("Please, turn ON the kitchen light.")?["state"]?.code == "on")
    let match = try #require(matcher.match("Wake me — at 7:30 p.m.!"))
    #expect(match["time"]?.time == SpokenTime(hour: 19, minute: 30))
    #expect(match["time"]?.text == "7:30 p.m.!")
    #expect(match["time"]?.words == 4..<6)
    for text in ["7:30pm", "7:30 PM", "seven thirty p m", "half past 7 pm", "19:30"] {
      #expect(
        matcher.match("wake me at \(text)")?["time"]?.time == SpokenTime(hour: 19, minute: 30),
        "\(text)")
    }
    #expect(matcher.match("dim the living-room to 50%")?["level"]?.integer == 50)
    #expect(matcher.match("dim kitchen to 50 percent")?["level"]?.integer == 50)
  }

  @Test func `a slot may occur several times`() throws {
    let matcher = try Home.matcher()
    let match = try #require(matcher.match("dial one oh five zero nine"))
    #expect(match.all("digit").map(\.integer) == [1, 0, 5, 0, 9])
    #expect(match.all("digit").map(\.words) == [1..<2, 2..<3, 3..<4, 4..<5, 5..<6])
    #expect(matcher.match("dial 2 1 3 4")?.all("digit").map(\.integer) == [2, 1, 3, 4])
    #expect(matcher.match("dial 2134")?.all("digit").map(\.integer) == [2, 1, 3, 4])
    #expect(matcher.match("dial 2134")?.all("digit").last?.text == "2134")
    #expect(matcher.match("dial one two") == nil)
    #expect(matcher.match("dial 123456789") == nil)
    #expect(matcher.match("say yes no yes yes no") != nil)
    #expect(matcher.match("say") == nil)
  }

  @Test func `meanings are ordered by weight, then by source order`() throws {
    let grammar = CommandGrammar("g") {
      Intent("light") {
        OneOf {
          "on"
          Weighted(2) { "off" }
        }
      }
      Intent("heavy", weight: 5) { "on" }
      Intent("radio") {
        OneOf {
          Weighted(2) { "off" }; Weighted(0.5) { "on" }
        }
      }
    }
    let matcher = try CommandMatcher(grammar)
    #expect(matcher.readings(of: "on").map(\.intent) == ["heavy", "light", "radio"])
    #expect(matcher.readings(of: "on").map { ($0.weight * 10).rounded() } == [50, 10, 5])
    #expect(matcher.readings(of: "off").map(\.intent) == ["light", "radio"])
    #expect(matcher.readings(of: "off", limit: 1).map(\.intent) == ["light"])
    // The same meaning is reported once, however many ways lead to it.
    let twice = CommandGrammar("g") {
      Intent("a") {
        Repeatedly {
          OneOf {
            "x"; "x"; "x x"
          }
        }
      }
    }
    #expect(
      try CommandMatcher(twice).readings(of: "x x x x x x x x", limit: 2).map(\.intent) == ["a"])
  }

  @Test
  func `equal alternatives are tried in source order`()
    throws
  {
    let grammar = CommandGrammar("g") {
      Intent("a") {
        Optionally { Slot("first", .values([Value("x")])) }
        Optionally { Slot("second", .values([Value("x")])) }
      }
    }
    let readings = try CommandMatcher(grammar).readings(of: "x")
    #expect(readings.map { $0.slots.map(\.name) } == [["first"], ["second"]])
  }

  @Test func `repetitions of silence end`() throws {
    let silent = Phrase.joined([.optional(.word("x")), .optional(.word("y"))])
    for phrase in [
      Phrase.repeated(silent, minimum: 0, maximum: nil),
      .repeated(.repeated(silent, minimum: 1, maximum: nil), minimum: 1, maximum: nil),
      .repeated(.repeated(silent, minimum: 0, maximum: 3), minimum: 2, maximum: nil),
      .repeated(.optional(.tagged(silent, ["t"])), minimum: 0, maximum: nil),
    ] {
      let grammar = CommandGrammar(
        name: "g", intents: [.init(name: "a", phrase: .joined([phrase, .word("end")]))])
      let matcher = try CommandMatcher(grammar)
      for text in ["end", "x end", "y x end", "y y x x y end"] {
        #expect(matcher.match(text) != nil, "\(text)")
      }
      #expect(matcher.match("x z end") == nil)
    }
  }

  @Test func `a JSGF grammar is matched, and its tags are the meaning`() throws {
    let jsgf = try JSGFGrammar(
      """
      #JSGF V1.0; grammar g;
      public <order> = <size> {sized} <drink>+ [please {polite}];
      public <list> = <item>;
      <item> = one {1} [and <item>];
      <size> = (small {S} | large {L});
      <drink> = tea {T} | coffee {C};
      """)
    let matcher = try CommandMatcher(CommandGrammar(jsgf))
    let match = try #require(matcher.match("large tea coffee please"))
    #expect(match.intent == "order")
    #expect(match.tags == ["L", "sized", "T", "C", "polite"])
    #expect(matcher.match("one and one and one")?.tags == ["1", "1", "1"])
  }

  @Test func `matching takes time in proportion to the sentence`() throws {
    let matcher = try Home.matcher()
    let clock = ContinuousClock()
    func time(_ count: Int) -> Duration {
      let text = "say " + Array(repeating: "yes no", count: count).joined(separator: " ")
      return clock.measure { #expect(matcher.match(text) != nil) }
    }
    _ = time(50)
    let (short, long) = (time(50), time(450))
    #expect(long < short * 60)
    #expect(matcher.match("say " + String(repeating: "yes ", count: 5000)) == nil)
  }

  // MARK: - Into the app's own types

  enum State: String, Decodable { case on, off }

  enum Command: Decodable, Equatable {
    case switchLight(state: State, room: Room?)
    case wakeMe(time: SpokenTime)
    case dial(digit: [Int])
    case dim(room: Room, level: Double)
    case remind(when: DateComponents, wait: Duration, day: SpokenDate)
    case move(from: Room, to: Room)
    case say
  }

  struct Light: Decodable, Equatable {
    var intent: String
    var state: State
    var room: Room?
    var digit: [Int]
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try #require(try Home.matcher().match(text)).decode(type)
  }

  @Test func `a match is decoded as the app's own type`() throws {
    #expect(
      try decode(Command.self, "turn off the living room light")
        == .switchLight(state: .off, room: .livingRoom))
    #expect(try decode(Command.self, "lights on") == .switchLight(state: .on, room: nil))
    #expect(
      try decode(Command.self, "wake me at noon") == .wakeMe(time: SpokenTime(hour: 12, minute: 0)))
    #expect(try decode(Command.self, "dial one two three") == .dial(digit: [1, 2, 3]))
    #expect(
      try decode(Command.self, "dim kitchen to a hundred") == .dim(room: .kitchen, level: 100))
    #expect(
      try decode(
        Command.self,
        "remind me at".replacing(" at", with: " seven p.m. in ninety seconds or tomorrow"))
        == .remind(
          when: DateComponents(hour: 19, minute: 0), wait: .seconds(90),
          day: SpokenDate(distance: DateComponents(day: 1))))
    #expect(
      try decode(Command.self, "move it from kitchen to bath")
        == .move(from: .kitchen, to: .bathroom))
    #expect(try decode(Command.self, "say yes") == .say)
    #expect(
      try decode(Light.self, "lights on")
        == Light(intent: "switch_light", state: .on, room: nil, digit: []))
  }

  @Test func `a missing slot is an error with its name`() throws {
    let error = #expect(throws: DecodingError.self) {
      try decode(Light.self, "wake me at noon")
    }
    guard case .valueNotFound(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["state"])
    struct Wrong: Decodable { var time: Int }
    #expect(throws: DecodingError.self) { try decode(Wrong.self, "wake me at noon") }
    struct Late: Decodable { var time: Duration }
    #expect(throws: DecodingError.self) { try decode(Late.self, "wake me at noon") }
    struct Deep: Decodable { var time: [String: String] }
    #expect(throws: DecodingError.self) { try decode(Deep.self, "wake me at noon") }
    struct Small: Decodable { var level: Int8 }
    #expect(try decode(Small.self, "dim kitchen to a hundred").level == 100)
  }
}
