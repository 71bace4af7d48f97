import Foundation

/// The files of the page, which are embedded in the program.
enum ConsoleAssets {
  static let all: [String: ConsoleResponse] = [
    "/": ConsoleResponse(
      200, type: "text/html; charset=utf-8", Data(PackageResources.console_html)),
    "/console.css": ConsoleResponse(
      200, type: "text/css; charset=utf-8", Data(PackageResources.console_css)),
    "/console.js": ConsoleResponse(
      200, type: "text/javascript; charset=utf-8", Data(PackageResources.console_js)),
    "/icon.svg": ConsoleResponse(200, type: "image/svg+xml", Data(PackageResources.icon_svg)),
  ]

  /// A page instead of a redirect: the cookie is not sent with a redirect that began at another
  /// site, such as a file with the link.
  static func welcome(_ cookie: String) -> ConsoleResponse {
    var response = ConsoleResponse(
      200, type: "text/html; charset=utf-8",
      Data(
        """
        <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>SpeechKit</title>
        <meta http-equiv="refresh" content="0;url=/"><p><a href="/">Open the console</a></p></html>

        """.utf8))
    response.headers.append(("Set-Cookie", cookie))
    return response
  }
}
