import Foundation

/// The files of the page, which are embedded in the program.
enum ConsoleAssets {
  struct Asset: Sendable {
    var type: String
    var data: Data
  }

  static let all: [String: Asset] = [
    "/": Asset(type: "text/html; charset=utf-8", data: Data(PackageResources.console_html)),
    "/console.css": Asset(
      type: "text/css; charset=utf-8", data: Data(PackageResources.console_css)),
    "/console.js": Asset(
      type: "text/javascript; charset=utf-8", data: Data(PackageResources.console_js)),
    "/icon.svg": Asset(type: "image/svg+xml", data: Data(PackageResources.icon_svg)),
  ]
}
