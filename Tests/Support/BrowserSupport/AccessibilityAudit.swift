/// The obstacles to using a page that a program can detect.
///
/// Controls without a name, headings out of order, landmarks that are missing, texts and edges of
/// controls with too little contrast (WCAG 2.2: 4.5 to 1, large texts and edges 3 to 1), and what
/// makes the page wider than its window.
public struct AccessibilityAudit: Sendable {
  /// The roles of controls.
  private static let controls: Set<String> = [
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider",
    "spinbutton", "listbox", "option", "menuitem", "tab", "DisclosureTriangle", "PopUpButton",
  ]

  /// The findings in words; empty for an accessible page.
  public let faults: [String]
  /// The number of texts and edges whose contrast was measured.
  public let measured: Int
  /// The smallest contrast of a text.
  public let smallestContrast: Double

  /// Looks at a page.
  public init(_ page: BrowserPage) async throws {
    let tree = try await page.accessibilityTree()
    var faults: [String] = []
    for node in tree where Self.controls.contains(node.role) && node.name.isEmpty {
      faults.append("A \(node.role) has no name.")
    }
    var level = 0
    for heading in tree.of("heading") {
      let next = heading.level ?? 0
      if next > level + 1 {
        faults.append(
          "“\(heading.name)” is a heading of level \(next) after one of level \(level).")
      }
      if heading.name.isEmpty { faults.append("A heading is empty.") }
      level = next
    }
    let topHeadings = tree.of("heading").count { $0.level == 1 }
    if topHeadings != 1 { faults.append("There are \(topHeadings) headings of level 1.") }
    if tree.of("main").count != 1 { faults.append("There is not one main part.") }
    for image in tree.of("image") where image.name.isEmpty {
      faults.append("An image has no name.")
    }
    let look: Look = try await page.evaluate(Self.measuring)
    self.faults = faults + look.faults
    measured = look.measured
    smallestContrast = look.smallest
  }

  private struct Look: Decodable, Sendable {
    var faults: [String]
    var measured: Int
    var smallest: Double
  }

  private static let measuring = #"""
    (() => {
      const faults = [], seen = new Set();
      let measured = 0, smallest = 21;
      const parse = text => {
        const numbers = (text.match(/[\d.]+/g) || []).map(Number);
        if (!/^rgba?\(/.test(text)) return null;
        return {r: numbers[0], g: numbers[1], b: numbers[2], a: numbers.length > 3 ? numbers[3] : 1};
      };
      const over = (top, below) => ({
        r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a),
        b: top.b * top.a + below.b * (1 - top.a), a: 1 });
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      const base = dark ? {r: 18, g: 18, b: 18, a: 1} : {r: 255, g: 255, b: 255, a: 1};
      const behind = element => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor);
          if (!colour) return null;
          layers.push(colour);
          if (colour.a === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), base);
      };
      const light = ({r, g, b}) => {
        const part = value => { value /= 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
      };
      const contrast = (one, other) => {
        const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      };
      const tell = text => { if (!seen.has(text)) { seen.add(text); faults.push(text); } };
      const name = element => "<" + element.tagName.toLowerCase()
        + (element.id ? "#" + element.id : "") + (element.className && element.className.trim
          ? "." + element.className.trim().split(/\s+/).join(".") : "") + ">";
      const judge = (colour, ground, need, what, isText) => {
        if (!colour || !ground) { tell(what + " has a colour that cannot be measured."); return; }
        const ratio = contrast(over(colour, ground), ground);
        measured += 1;
        if (isText) smallest = Math.min(smallest, ratio);
        if (ratio < need - 0.005) tell(what + " has a contrast of " + ratio.toFixed(2) + ", not " + need);
      };
      for (const element of document.querySelectorAll("body *")) {
        if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        const box = element.getBoundingClientRect();
        // What is read aloud only is a pixel or beside the page.
        if (box.width < 2 || box.height < 2 || box.right < 0 || box.bottom < 0) continue;
        if (element.closest("svg") && element.tagName !== "text") continue;
        if (element.matches(":disabled")) continue;
        const style = getComputedStyle(element);
        const size = parseFloat(style.fontSize), weight = parseInt(style.fontWeight);
        const need = size >= 24 || (size >= 18.66 && weight >= 700) ? 3 : 4.5;
        const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        // What has no text in it has no edge of its own either.
        const isField = element.matches(
          "input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select");
        const ink = element.tagName === "text" ? style.fill : style.color;
        if (hasText || isField)
          judge(parse(ink), behind(element), need, "The text of " + name(element), true);
        if (isField && element.placeholder)
          judge(parse(getComputedStyle(element, "::placeholder").color), behind(element), need,
            "The placeholder of " + name(element), true);
        if (isField && element.parentElement) {
          const ground = behind(element.parentElement);
          judge(parse(style.borderTopColor), ground, 3, "The edge of " + name(element), false);
        }
      }
      const root = document.scrollingElement;
      if (root.scrollWidth > root.clientWidth) {
        const wide = [...document.querySelectorAll("body *")].filter(element =>
          element.getBoundingClientRect().right > root.clientWidth + 1).map(name);
        tell("The page is " + root.scrollWidth + " wide in a window of " + root.clientWidth + ": "
          + [...new Set(wide)].slice(0, 6).join(" "));
      }
      if (!document.documentElement.lang) tell("The page does not tell its language.");
      if (!document.title) tell("The page has no title.");
      return {faults, measured, smallest};
    })()
    """#
}
