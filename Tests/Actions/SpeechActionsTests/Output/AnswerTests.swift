import AIServices
import ConformanceTesting
import Testing

@testable import SpeechActions

@Suite struct AnswerTests {
  @Test(arguments: [
    ("  hello \n", "hello"),
    ("```\ncode\n```", "code"),
    ("```swift\nlet x = 1\n```\n", "let x = 1"),
    ("```\na\n```\ntext\n```\nb\n```", "```\na\n```\ntext\n```\nb\n```"),
    ("“Good day”", "Good day"),
    ("„Guten Tag“", "Guten Tag"),
    ("\"Yes\" and \"no\"", "\"Yes\" and \"no\""),
    ("\"", "\""), ("```", "```"), ("", ""),
  ])
  func `decoration around an answer is removed`(answer: String, expected: String) {
    #expect(AnswerCleanup.cleaned(answer) == expected)
  }

  @Test func `an answer to a quoted text keeps its quotation marks`() {
    #expect(AnswerCleanup.cleaned("“Good day”", original: "„Guten Tag“") == "“Good day”")
  }

  @Test(arguments: [
    ("# Title\n\nSome **bold** and *soft* `code` ~~no~~.", "Title\n\nSome bold and soft code no."),
    ("- one\n  - two\n1. three", "- one\n  - two\n1. three"),
    ("[here](https://x.org) [https://x.org](https://x.org)", "here (https://x.org) https://x.org"),
    ("```sh\n**x**\n```", "**x**"),
    ("> quoted\n---\nend", "quoted\n----\nend"),
    (#"2 * 3 * 4, a_b_c, \*no\*, **open"#, "2 * 3 * 4, a_b_c, *no*, **open"),
    ("**a *b* c**", "a b c"),
  ])
  func `Markdown is converted to plain text`(source: String, expected: String) {
    #expect(Markdown(source).plainText == expected)
  }

  @Test func `Markdown is converted to terminal colours, and control characters are removed`() {
    let text = Markdown("**bold** \u{1B}[2J\u{7}x\u{9B}31m `c`").ansi
    #expect(text == "\u{1B}[1mbold\u{1B}[0m [2Jx31m \u{1B}[36mc\u{1B}[0m")
  }

  @Test func `a text of marks alone is read in linear time`() {
    let clock = ContinuousClock()
    let limit: Duration = .seconds(Sanitizer.isOn ? 60 : 5)
    for mark in ["*", "**a ", "_a ", "`", "[", "[a](", "~~", "*a**b"] {
      let source = String(repeating: mark, count: 40_000)
      #expect(clock.measure { _ = Markdown(source).plainText } < limit, "\(mark)")
    }
  }

  @Test func `pairs, corrections and diffs are read and checked`() throws {
    let pairs = try StructuredAnswer(
      "Here:\n```json\n{\"pairs\":[{\"source\":\"Ja.\",\"target\":\"Yes.\"}]}\n```",
      expected: .sentencePairs, original: "Ja.")
    #expect(pairs == .sentencePairs([SentencePair(source: "Ja.", target: "Yes.")]))
    #expect(pairs?.replacement == "Yes.")

    let diff = try StructuredAnswer(
      #"{"pieces":[{"kind":"keep","text":"I "},{"kind":"delete","text":"is"},{"kind":"insert","text":"am"}]}"#,
      expected: .diff, original: "I is")
    #expect(diff?.replacement == "I am")
    #expect(diff?.rendered == "I [-is-]{+am+}")
    #expect(throws: ActionError.self) {
      try StructuredAnswer(
        #"{"pieces":[{"kind":"keep","text":"Another text"}]}"#, expected: .diff, original: "I is")
    }
  }

  @Test(arguments: [
    (#"{"corrected":"x"}"#, "$.items: is missing"),
    (#"{"corrected":1,"items":[]}"#, "$.corrected: is not of type string"),
    (
      #"{"corrected":"x","items":[{"original":"a","replacement":"b"}]}"#,
      "$.items[0].reason: is missing"
    ),
    (#"{"corrected":"x","items":[],"more":1}"#, "$.more: is not allowed"),
  ])
  func `violations of a schema are reported`(answer: String, expected: String) {
    let error = #expect(throws: ActionError.self) {
      try StructuredAnswer(answer, expected: .corrections, original: "x")
    }
    #expect(error?.errorDescription?.contains(expected) == true)
  }

  @Test func `an action's own schema is checked`() throws {
    let schema: SendableValue = [
      "type": "object", "required": ["mood", "score"],
      "properties": [
        "mood": ["enum": ["good", "bad"]],
        "score": ["type": "integer", "minimum": 0, "maximum": 10],
        "tags": ["type": "array", "maxItems": 2, "items": ["type": "string", "minLength": 1]],
      ],
    ]
    let check = JSONSchema(schema)
    #expect(check.errors(in: ["mood": "good", "score": 3, "tags": ["a"]]).isEmpty)
    #expect(
      check.errors(in: ["mood": "odd", "score": 11, "tags": ["", "b", "c"]]) == [
        "$.mood: is not an allowed value", "$.score: is more than 10.0",
        "$.tags: has more than 2 elements", "$.tags[0]: has fewer than 1 characters",
      ])
    let answer = try StructuredAnswer(
      #"{"mood":"bad","score":0}"#, expected: .json(schema: schema), original: "")
    #expect(answer == .json(["mood": "bad", "score": 0]))
  }

  @Test func `corrections replace the text if the action says so`() throws {
    let raw =
      #"{"corrected":"I am.","items":[{"original":"is","replacement":"am","reason":"first person"}]}"#
    var action = TextAction.correct
    let shown = try action.processed(raw, original: "I is.").text
    #expect(shown == "I am.\n\n- “is” → “am”: first person")
    action.postProcessing = [.replaceOriginal]
    #expect(try action.processed(raw, original: "I is.").text == "I am.")
  }
}
