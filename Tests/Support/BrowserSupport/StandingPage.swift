import Foundation

/// The requirements of a page that stands by itself, such as a report that is opened from a file or
/// a mail.
public enum StandingPage {
  /// The findings about such a page.
  public struct Findings: Sendable {
    /// The defects, in words.
    public var faults: [String]
    /// The page as a screen reader receives it.
    public var tree: [AccessibilityNode]
  }

  /// Opens a page, and checks that it loads nothing else, logs no errors, is accessible in light and
  /// dark, and has no wide part that the keyboard does not reach.
  public static func inspect(
    _ html: String, in browser: Browser, name: String
  ) async throws -> Findings {
    let page = try await browser.newPage()
    try await page.resize(width: 1_000, height: 800)
    try await page.open(html: html)
    var faults = page.complaints.map { "Console: \($0)" }
    let tree = try await page.accessibilityTree()
    for scheme in BrowserPage.ColourScheme.allCases {
      try await page.show(in: scheme)
      for width in [1_000, 320] {
        try await page.resize(width: width, height: 800)
        faults += try await AccessibilityAudit(page).faults.map { "\(scheme), \(width): \($0)" }
        try await page.screenshot("\(name)-\(scheme)-\(width)")
      }
    }
    faults += try await keyboardFaults(page)
    for request in page.requests where !["file", "data"].contains(request.scheme) {
      faults.append("It asks for \(request).")
    }
    return Findings(faults: faults, tree: tree)
  }

  /// Goes through the page with Tab: the first stop leads past the beginning, each is to be seen,
  /// and whatever scrolls sideways is among them and moves with the arrows.
  private static func keyboardFaults(_ page: BrowserPage) async throws -> [String] {
    struct Stop: Decodable, Sendable {
      var place: Int
      var text: String
      var isMarked: Bool
      var isWide: Bool
      /// True for the page itself, which ends the round.
      var isPage: Bool
    }
    var faults: [String] = []
    let wide: [Int] = try await page.evaluate(
      """
      (window.all = [...document.querySelectorAll("*")],
       all.map((element, place) => element.scrollWidth > element.clientWidth + 1
         && ["auto", "scroll"].includes(getComputedStyle(element).overflowX) ? place : -1)
         .filter(place => place >= 0))
      """)
    var reached: Set<Int> = []
    for number in 0..<40 {
      try await page.press(.tab)
      let stop: Stop = try await page.evaluate(
        """
        (() => {
          const element = document.activeElement, style = getComputedStyle(element);
          return {place: all.indexOf(element), text: (element.innerText || "").slice(0, 40),
            isMarked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
            isWide: element.scrollWidth > element.clientWidth + 1,
            isPage: element === document.body};
        })()
        """)
      if stop.isPage { break }
      if number == 0, !stop.text.lowercased().contains("skip") {
        faults.append("The first stop is “\(stop.text)”, which leads past nothing.")
      }
      if !stop.isMarked { faults.append("The focus on “\(stop.text)” is not to be seen.") }
      guard reached.insert(stop.place).inserted else { break }
      if stop.isWide {
        try await page.run("document.activeElement.scrollLeft = 0;")
        try await page.press(.right)
        try await page.wait(for: "document.activeElement.scrollLeft > 0")
      }
    }
    if wide.allSatisfy({ !reached.contains($0) }), !wide.isEmpty {
      faults.append("Nothing of what scrolls sideways is reached by the keyboard.")
    }
    return faults
  }
}
