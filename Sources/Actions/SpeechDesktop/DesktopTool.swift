/// A helper program for access to the desktop, with its package.
struct DesktopTool: Sendable, Hashable {
  enum Task: Sendable, Hashable, CaseIterable {
    case readSelection
    case readClipboard
    case copy
    case type
    /// Press the keys that paste.
    case pressPaste

    var givesText: Bool { self == .readSelection || self == .readClipboard }
  }

  var program: String
  var arguments: [String]
  var package: String

  /// Returns the programs for a task, in order of preference.
  ///
  /// Text is passed through standard input only, because arguments are visible to all users of the
  /// machine.
  ///
  /// - Parameter isPlain: True if the text is ASCII.
  static func tools(
    for task: Task, in session: DesktopText.Session, isPlain: Bool = true
  ) -> [DesktopTool] {
    switch (session, task) {
    case (.wayland, .readSelection):
      [
        DesktopTool(
          "wl-paste", "--primary", "--no-newline", "--type", "text", package: "wl-clipboard")
      ]
    case (.wayland, .readClipboard):
      [DesktopTool("wl-paste", "--no-newline", "--type", "text", package: "wl-clipboard")]
    case (.wayland, .copy):
      [DesktopTool("wl-copy", "--type", "text/plain;charset=utf-8", package: "wl-clipboard")]
    case (.wayland, .type):
      [
        // Programs miss the first key of a new virtual keyboard without a delay.
        DesktopTool("wtype", "-s", "150", "-", package: "wtype"),
        // For compositors without virtual keyboards, such as GNOME's. Needs its daemon.
        DesktopTool("ydotool", "type", "--file", "-", package: "ydotool"),
      ]
    case (.wayland, .pressPaste):
      [DesktopTool("wtype", "-s", "150", "-M", "ctrl", "v", "-m", "ctrl", package: "wtype")]
    case (.x11, .readSelection):
      [xclip("-o", "primary"), DesktopTool("xsel", "--primary", "--output", package: "xsel")]
    case (.x11, .readClipboard):
      [xclip("-o", "clipboard"), DesktopTool("xsel", "--clipboard", "--output", package: "xsel")]
    case (.x11, .copy):
      [xclip("-i", "clipboard"), DesktopTool("xsel", "--clipboard", "--input", package: "xsel")]
    case (.x11, .type):
      [
        // The modifiers of the hot key may still be pressed. Non-ASCII characters need a remapped
        // key each, which programs notice too late at a higher rate.
        DesktopTool(
          "xdotool", "type", "--clearmodifiers", "--delay", isPlain ? "12" : "40", "--file", "-",
          package: "xdotool")
      ]
    case (.x11, .pressPaste):
      [DesktopTool("xdotool", "key", "--clearmodifiers", "ctrl+v", package: "xdotool")]
    }
  }

  private init(_ program: String, _ arguments: String..., package: String) {
    self.program = program
    self.arguments = arguments
    self.package = package
  }

  private static func xclip(_ direction: String, _ selection: String) -> DesktopTool {
    // With this target the text is UTF-8. Without it, characters beyond Latin-1 are lost.
    DesktopTool(
      "xclip", direction, "-selection", selection, "-t", "UTF8_STRING", package: "xclip")
  }
}
