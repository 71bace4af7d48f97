import BrowserSupport
import Foundation
import TestSupport
import Testing

@testable import SpeechTesting

/// The page of scenarios in a real browser, operated with the keyboard.
@Suite(.serialized)
struct ScenarioPageInBrowserTests {
  private static let story = """
    scenario "A story"
    recogniser exact
    reply "Once upon a time there was a king."
    person Ben flite:awb
    Ben says "tell me a story" at 1 s
    expect heard "tell me a story"
    expect said "Once upon a time there was a king."
    """

  /// The outcome of a scenario, and of the same scenario with an unmet expectation.
  private static func outcomes(
    of story: String = story
  ) async throws -> (passed: ScenarioOutcome, failed: ScenarioOutcome) {
    var passed = try await Scenario(story).run()
    passed.file = "scenarios/story.scenario"
    let wrong = story.replacing("heard \"tell me a story\"", with: "heard \"tell me the story\"")
      .replacing("A story", with: "The story")
    var failed = try await Scenario(wrong).run()
    failed.file = "scenarios/a-folder-with-a-long-name/the-story.scenario"
    try #require(passed.isPassed && !failed.isPassed, "\(passed.account)\n\(failed.account)")
    return (passed, failed)
  }

  @Test func `the page is accessible and shows failures with their positions`()
    async throws
  {
    let (passed, failed) = try await Self.outcomes()
    let broken = ScenarioOutcome(
      name: "Broken", file: "scenarios/broken.scenario",
      error: "broken.scenario:1:12: There is no recogniser “exakt”. Did you mean “exact”?")
    let text = ScenarioPage.text(of: [passed, failed, broken])
    #expect(try PageReader(text).problem == nil)
    try await Browser.use { browser in
      let findings = try await StandingPage.inspect(text, in: browser, name: "scenarios")
      #expect(findings.faults.isEmpty, "\(findings.faults.joined(separator: "\n"))")
      let tree = findings.tree
      #expect(
        tree.of("heading").filter { $0.level == 2 }.map(\.name) == [
          "The story", "Broken", "A story",
        ],
        "\(tree.outline)")
      // The names that a screen reader announces for a failure and its content.
      let summaries = tree.of("DisclosureTriangle").map(\.name)
      #expect(
        summaries.contains {
          $0.contains("failed") && $0.contains("the-story.scenario:6")
            && $0.contains("1 of 2 not met")
        }, "\(tree.outline)")
      let regions = tree.of("region").map(\.name)
      #expect(regions.contains("Unmet expectations of The story"), "\(regions)")
      let read = tree.of("StaticText").map(\.name).joined(separator: "\n")
      #expect(
        read.contains(
          "scenarios/a-folder-with-a-long-name/the-story.scenario:6: expect heard \"tell me the story\""
        ), "\(read)")
      #expect(
        read.contains("wanted tell me the story") && read.contains("came   tell me a   story"))
      #expect(read.contains("broken.scenario:1:12: There is no recogniser"))
      #expect(tree.of("slider").map(\.name) == ["Position in The story"])
      #expect(tree.of("table").allSatisfy { !$0.name.isEmpty })
    }
  }

  @Test func `audio is played with the keyboard alone`() async throws {
    let (passed, failed) = try await Self.outcomes()
    try await Browser.use { browser in
      let page = try await browser.newPage()
      try await page.resize(width: 400, height: 800)
      try await page.open(html: ScenarioPage.text(of: [passed, failed]))
      let sound = "document.querySelector('#scenario-1 figure').player.audio"
      // The passed scenario is closed; Enter opens it.
      try await page.tab(to: "#scenario-0 > summary")
      try await page.press(.down)
      try await page.wait(for: "document.activeElement.matches('#scenario-1 > summary')")
      #expect(try await page.evaluate("!document.querySelector('#scenario-1').open", as: Bool.self))
      try await page.press(.enter)
      try await page.wait(for: "document.querySelector('#scenario-1').open")
      try await page.tab(to: "#scenario-1 .play", atMost: 1)
      try await page.press(.enter)
      // The clock on the page follows the audio.
      try await page.wait(for: "\(sound).currentTime > 0.3 && !\(sound).paused")
      let name = "document.querySelector('#scenario-1 .play').getAttribute('aria-label')"
      #expect(try await page.evaluate(name) == "Pause A story")
      try await page.press(.space)
      try await page.wait(for: "\(sound).paused && \(name) === 'Play A story'")
      // Arrow keys on the slider, which the picture follows.
      try await page.press(.tab)
      #expect(try await page.evaluate("document.activeElement.type") == "range")
      try await page.press(.end)
      try await page.press(.left)
      try await page.wait(for: "!\(sound).seeking && document.activeElement.value > 2")
      let scrolled = "document.querySelector('#scenario-1 .wide').scrollLeft"
      #expect(try await page.evaluate("\(scrolled) > 0", as: Bool.self))
      #expect(
        try await page.evaluate(
          "document.activeElement.getAttribute('aria-valuetext')", as: String.self
        ).hasSuffix("seconds"))
      // Plays to the end.
      try await page.press(.space)
      try await page.wait(for: "\(sound).ended && \(name) === 'Play A story'")
      // Starting one player pauses the other.
      try await page.press(.space)
      try await page.wait(for: "!\(sound).paused")
      try await page.click("#scenario-0 text.people")
      try await page.wait(
        for: "\(sound).paused && !document.querySelector('#scenario-0 figure').player.audio.paused")
      #expect(
        try await page.evaluate(
          "document.querySelector('#scenario-0 figure').player.audio.currentTime > 1", as: Bool.self
        ))
      #expect(page.complaints.isEmpty, "\(page.complaints)")
      #expect(page.requests.allSatisfy { ["file", "data"].contains($0.scheme) })
    }
  }

  /// The measured times are printed. The limits are far higher, because the machine may be busy.
  /// Half of the scenarios failed, and are open.
  @Test func `two hundred scenarios load quickly and respond to keys`() async throws {
    let short = Self.story.replacing("at 1 s", with: "at 100 ms\nquiet 1 s")
    let (passed, failed) = try await Self.outcomes(of: short)
    let outcomes = (0..<200).map { number in
      var outcome = number % 2 == 0 ? failed : passed
      outcome.name += " \(number)"
      return outcome
    }
    let text = ScenarioPage.text(of: outcomes)
    try await Browser.use { browser in
      let page = try await browser.newPage()
      try await page.resize(width: 1_000, height: 800)
      try await page.open(html: text)
      let load: Double = try await page.evaluate(
        "performance.getEntriesByType('navigation')[0].loadEventStart")
      // From the key press to the frame after the one with the change.
      try await page.run(
        """
        window.answers = {};
        addEventListener("keydown", event => requestAnimationFrame(() => requestAnimationFrame(() => {
          answers[event.key] = performance.now() - event.timeStamp;
          document.body.dataset.answers = Object.keys(answers).join(" ");
        })), true);
        """)
      try await page.tab(to: ".scenario > summary", atMost: 8)
      try await page.press(.end)
      try await page.wait(for: "document.activeElement.matches('#scenario-199 > summary')")
      try await page.press(.enter)
      try await page.wait(for: "document.querySelector('#scenario-199').open")
      try await page.tab(to: "#scenario-199 .play", atMost: 1)
      try await page.press(.space)
      try await page.wait(
        for: "document.querySelector('#scenario-199 figure').player.audio.currentTime > 0")
      // Back to the top.
      try await page.tab(to: "#scenario-199 > summary", with: .shift, atMost: 1)
      try await page.press(.home)
      try await page.wait(for: "document.activeElement.matches('#scenario-0 > summary')")
      try await page.tab(to: "#failed", with: .shift, atMost: 2)
      try await page.press(.space)
      try await page.wait(for: "!document.querySelector('#scenario-199').checkVisibility()")
      try await page.wait(for: "'End' in answers && 'Enter' in answers && ' ' in answers")
      let answers: [String: Double] = try await page.evaluate("answers")
      let slowest = answers.values.max() ?? 0
      print(
        String(
          format:
            "200 scenarios, 100 of them open: %.1f MB, the load event after %.0f ms, from key to "
            + "change %.0f ms at most", Double(text.utf8.count) / 1e6, load, slowest))
      #expect(load < 5_000)
      #expect(slowest < 5_000, "\(answers)")
      #expect(page.complaints.isEmpty, "\(page.complaints)")
    }
  }
}
