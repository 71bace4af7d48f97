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
    <style>
    \(Self.style)\(style)</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the report</a>
    <main id="main">
    <h1>\(Self.escaped(title))</h1>
    \(body)
    </main>
    \(script.isEmpty ? "" : "<script>\n\(script)</script>")
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

  private static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
}
