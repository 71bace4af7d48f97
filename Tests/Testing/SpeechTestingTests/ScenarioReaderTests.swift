import Foundation
import SpeechConcurrency
import SpeechTesting
import Testing

struct ScenarioReaderTests {
  @Test(arguments: [
    ("recogniser pocketsphnx", "1:12: ", "Did you mean “pocketsphinx”?"),
    ("persn Anna flite:slt", "1:1: ", "Did you mean “person”?"),
    ("person Anna flit:slt", "1:13: ", "Did you mean “flite”?"),
    ("person Anna flite:stl", "1:13: ", "Did you mean “slt”?"),
    ("person Anna flite:slt speed 3", "1:23: ", "rate, pitch and level"),
    ("Ana says \"hello\"", "1:1: ", "There is no person “Ana”."),
    ("person Anna flite:slt\nAna says \"hello\"", "2:1: ", "Did you mean “Anna”?"),
    ("person Anna flite:slt\nAnna says hello", "2:11: ", "in quotation marks"),
    ("person Anna flite:slt\nAnna says \"hello", "2:11: ", "has no end"),
    ("person Anna flite:slt\nAnna says \"hello\" at soon", "2:22: ", "such as 2 s or 300 ms"),
    ("person Anna flite:slt\nAnna says \"hello\" after repy", "2:25: ", "Did you mean “reply”?"),
    ("person Anna flite:slt\nAnna says \"…\" at 1 s", "2:1: ", "has no words to say"),
    ("expect herd \"hello\"", "1:8: ", "Did you mean “heard”?"),
    ("expect heard \"hello\" within 2 parsecs", "1:29: ", "such as 2 s"),
    ("expect first sound", "1:19: ", "“within” and a time are missing"),
    ("expect ignored \"a\" as stopword please", "1:32: ", "“please” is not expected here"),
    ("expect ignored \"a\" as stopwrd", "1:23: ", "Did you mean “stopWord”?"),
    ("expect intent switch_light", "1: ", "Intents need a grammar"),
    ("grammar missing.commands", "1:9: ", "cannot be used"),
    ("reply \"Yes.\" to yes", "1:17: ", "Intents need a grammar"),
    ("noise rain 10 dB", "1:7: ", "white, pink, hum, babble, recording"),
    ("noise pink loud", "1:12: ", "a number from -40 to 80"),
    ("room -1 s", "1:6: ", "such as 2 s"),
    ("echo 3 dB", "1:6: ", "from -80 to 0"),
    ("fault responder late 3 s", "1:25: ", "“in turn” and a number are missing"),
    ("fault voice hangs in turn 3", "1:19: ", "“in sentence” and a number are missing"),
    ("fault responder hangs in turn 3 to 2", "1:36: ", "a number from 3 to 1000"),
    ("fault microphne lost at 1 s for 1 s", "1:7: ", "Did you mean “microphone”?"),
    ("rule no interuptions", "1:6: ", "There is no such rule"),
    ("seed x", "1:6: ", "a number"), ("\"hello\"", "1:1: ", "not with a quotation"),
    ("recogniser exact\nfault microphone lost at 1 s for 1 s", "", "no microphone"),
  ])
  func `errors are reported with their position and a suggestion`(
    text: String, place: String, hint: String
  ) {
    let error = #expect(throws: ScenarioError.self) {
      try Scenario(text, file: URL(filePath: "/nowhere/my.scenario"))
    }
    let message = error?.errorDescription ?? ""
    #expect(message.contains("my.scenario:\(place)"), "\(message)")
    #expect(message.contains(hint), "\(message)")
  }

  @Test func `all errors are reported at once`() {
    let error = #expect(throws: ScenarioError.self) {
      try Scenario("sed 1\n\n# fine\nroom\nexpect heard\n")
    }
    #expect(error?.diagnostics.map(\.line) == [1, 4, 5])
  }

  @Test func `expectations are written as they are read`() throws {
    let lines = [
      "heard \"turn on\" with 20 % errors within 2 s", "said \"Done.\"",
      "intent switch_light room=kitchen state=on within 0.5 s", "ignored \"mhm\" as listenerSound",
      "ignored", "interrupted after \"Once upon\"", "resumed", "reply failed", "voice failed",
      "awake", "asleep",
      "recognition lost", "recognition returned", "prompted", "away", "no heard \"stop\"",
      "nothing heard", "nothing said", "first sound within 0.8 s", "end of turn within 1 s",
      "total within 2 s", "interruption within 0.3 s", "history",
      #"history user "say \"hi\"" reply "Once" unheard "upon a time." user "no""#,
    ]
    for line in lines where !line.hasPrefix("intent") {
      let scenario = try Scenario("expect \(line)")
      #expect(scenario.expectations.map(\.expectation.description) == [line])
    }
    let kitchen = try ScenarioTests.scenario("grammar home.gram\nexpect \(lines[2])")
    #expect(kitchen.expectations.map(\.expectation.description) == [lines[2]])
  }

  @Test func `every statement of scenarios is read`() throws {
    let scenario = try Scenario(
      """
      scenario “All of it”   # a comment
      seed 42
      recogniser pocketsphinx
      accept 0.4
      voice flite:awb rate 0.6 pitch 1.2
      wake "computer" or "hey you" for 9s
      rule half duplex
      rule interrupt after 200 ms
      rule away after 2 min
      greeting "Say \\"hello\\"."
      reply "One."
      reply "Let me see." then "Two." after 3 s then "Three." after 500 ms
      reply echo
      prompt "Are you there?" after 8 s
      person Anna flite:slt rate 0.55 pitch 1.1 level -20 dB
      noise babble 15 dB
      noise pink 20
      room 400 ms direct 6 dB
      echo -20 dB delay 40 ms cancelled
      telephone
      clip -6 dB
      dropouts 12 a minute of 50 ms
      drift 200 ppm
      quiet 4 s
      limit 1 min
      fault microphone lost at 3 s for 2 s
      fault recogniser dies at 4 s
      fault responder breaks "gone" in turn 2
      fault voice late 2 s in sentence 3
      fault voice stalls in sentence 4
      fault responder hangs in turn 4 to 5
      Anna says "good morning" at 1.5 s
      ANNA says "and good night" 300 ms after reply ended
      Anna says "once more"
      Anna says "too" 100 ms after line began
      Anna says "and" after voice failed
      expect awake
      """)
    #expect(scenario.name == "All of it")
    #expect(scenario.greeting == "Say \"hello\".")
    #expect(scenario.rules.attention == .wakeWord(["computer", "hey you"], window: .seconds(9)))
    #expect(scenario.script.seed == 42 && scenario.script.limit == .seconds(60))
    #expect(scenario.voice == Speaker(.flite, voice: "awb", rate: 0.6, pitch: 1.2))
    #expect(
      scenario.script.scene.name
        == "babble 15 dB, pink 20 dB, room 0.4 s, echo -20 dB, cancelled, clipping at -6 dB, telephone, "
        + "12 drop-outs a minute, drift 200 ppm")
    #expect(
      scenario.script.lines.map(\.cue) == [
        .at(.milliseconds(1_500)), .after(.replyFinished, .milliseconds(300)), .after(.line, .zero),
        .after(.lineBegan, .milliseconds(100)), .after(.voiceFailed, .zero),
      ])
    #expect(Set(scenario.script.lines.map(\.person.speaker.level)) == [-20])
    #expect(scenario.responderFaults == [2: .breaksOff("gone"), 4: .hangs, 5: .hangs])
    #expect(scenario.voiceFaults == [3: .late(.seconds(2)), 4: .stalls])
    #expect(
      scenario.replies == [
        .inTurn([.init("One.")]),
        .inTurn([
          .init("Let me see. "), .init("Two. ", after: .seconds(3)),
          .init("Three.", after: .milliseconds(500)),
        ]), .echo,
      ])
    #expect(scenario.recogniserDeaths == [.seconds(4)])
  }

  @Test func `any text is read or rejected`() {
    var random = SeededNumbers(seed: 5)
    let pieces = [
      "expect", "heard", "\"a b\"", "\"", "within", "2 s", "ms", "noise", "pink", "Anna", "says",
      "person", "flite:slt", "at", "after", "reply", "ended", "fault", "responder", "in turn", "1",
      "-3",
      "1e309", "nan", "room", "=", "a=", "#", "“", "”", "\\", "\u{0}", "🙂", "no", "wake", "or",
      "for",
    ]
    for _ in 0..<3_000 {
      let text = (0..<random.next(12)).map { _ in pieces[random.next(pieces.count)] }
        .joined(separator: random.next(4) == 0 ? "\n" : " ")
      _ = try? Scenario(text)
    }
  }
}
