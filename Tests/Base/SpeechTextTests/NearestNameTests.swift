import SpeechText
import Testing

struct NearestNameTests {
  @Test(arguments: [
    ("say", "say", 0), ("sya", "say", 1), ("sai", "say", 1), ("", "say", 3), ("says", "say", 1),
  ])
  func `the distance of names counts changes and swaps`(one: String, other: String, count: Int) {
    #expect(NearestName.distance(one, other) == count)
    #expect(NearestName.distance(other, one) == count)
  }

  @Test func `only a near name is suggested`() {
    let names = ["transcribe", "say", "listen", "demo"]
    #expect(NearestName.of("trancsribe", among: names) == "transcribe")
    #expect(NearestName.of("trans", among: names) == "transcribe")
    #expect(NearestName.of("Lisen", among: names) == "listen")
    #expect(NearestName.of("banana", among: names) == nil)
    #expect(NearestName.of("x", among: []) == nil)
  }
}
