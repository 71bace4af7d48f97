/// A self-contained HTML page: no network, no script unless one is given, readable in light and
/// dark, and well-formed XML.
package struct HTMLPage {
  package var title: String
  /// The markup below the heading.
  package var body: String
  /// The style in addition to the common one.
  package var style = ""
  /// The script of the page, without characters that are special in XML.
  package var script = ""

  package init(title: String, body: String, style: String = "", script: String = "") {
    self.title = title
    self.body = body
    self.style = style
    self.script = script
  }

  package var text: String {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
    <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>\(Self.escaped(title))</title>
    <style>\(Self.style)\(style)</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the report</a>
    <main id="main">
    <h1>\(Self.escaped(title))</h1>
    \(body)
    </main>
    \(script.isEmpty ? "" : "<script>\(script)</script>")
    </body>
    </html>

    """
  }

  /// Returns text as markup. Characters that XML cannot represent are replaced.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
      default:
        let isRefused =
          scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || scalar.value & 0xFFFE == 0xFFFE
        result.unicodeScalars.append(isRefused ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }

  /// Returns a table with a caption. The first row and the first cell of each row are headings.
  package static func table(_ caption: String, _ rows: [[String]]) -> String {
    let head = (rows.first ?? []).map {
      "<th scope=\"col\">\(escaped($0.prefix(1).uppercased() + $0.dropFirst()))</th>"
    }.joined()
    let body = rows.dropFirst().map { row in
      let cells = row.enumerated().map { index, cell in
        index == 0
          ? "<th scope=\"row\">\(escaped(cell))</th>" : "<td>\(escaped(cell))</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }.joined(separator: "\n")
    return scrolling(
      caption,
      "<table>\n<caption>\(escaped(caption))</caption>\n<thead><tr>\(head)</tr></thead>\n"
        + "<tbody>\n\(body)\n</tbody>\n</table>")
  }

  /// Returns a region for content that may be wider than the window, scrollable with the keyboard.
  package static func scrolling(_ label: String, _ content: String) -> String {
    "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
      + "aria-label=\"\(escaped(label))\">\n\(content)\n</div>"
  }

  private static let style = """

    :root { --ink: #1b1b1b; --paper: #fdfdfb; --line: #c9c9c4; --link: #0b4f9e; --heat: 190, 40, 20;
      --right: 30, 110, 60; --focus: #b35900; --one: #a3260f; --two: #0b4f9e; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #ecece8; --paper: #17181a; --line: #4a4b4e; --link: #8dbcff; --heat: 255, 95, \
      70;
        --right: 80, 190, 120; --focus: #ffb45e; --one: #ff8a70; --two: #8dbcff; }
    }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, \
    sans-serif; }
    main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
    h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
    h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
    a { color: var(--link); } p { max-width: 46rem; margin: .4rem 0; }
    a:focus-visible, .wide:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    .skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
    .wide { overflow-x: auto; margin: 1rem 0; }
    table { border-collapse: collapse; } caption { text-align: left; font-weight: 600; padding: \
    .3rem 0; }
    th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; font-weight: \
    400; }
    td { font-variant-numeric: tabular-nums; } thead th { vertical-align: bottom; }
    .map td { text-align: center; min-width: 2.2rem; padding: 0; }
    .map td a, .map td span { display: block; padding: .25rem .4rem; color: inherit; }
    .map thead th { max-width: 9rem; font-size: .85rem; }
    .map tbody th { font-size: .9rem; min-width: 10rem; }
    .map tr > :first-child { position: sticky; left: 0; background: var(--paper); }
    svg { max-width: 100%; height: auto; } .wide svg { max-width: none; } svg text { fill: \
    var(--ink); font: 13px system-ui, sans-serif; }
    svg .axis { stroke: var(--line); fill: none; } svg .one { stroke: var(--one); fill: none; \
    stroke-width: 2.5; }
    svg .two { stroke: var(--two); fill: none; stroke-width: 2.5; stroke-dasharray: 7 4; }
    svg .mark { stroke: var(--focus); stroke-width: 1.5; }

    """
}
