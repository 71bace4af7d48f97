import Testing

@testable import SpeechActions

@Suite struct PlaceholderTests {
  @Test func `the ready-made actions are all there`() {
    #expect(ActionLibrary.readyMade.all == TextAction.readyMade)
  }
}
