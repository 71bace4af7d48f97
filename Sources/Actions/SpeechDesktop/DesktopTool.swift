/// A program that reaches into the desktop, and the package that has it.
struct DesktopTool: Sendable, Hashable {
  /// What is wanted of the desktop.
  enum Task: Sendable, Hashable, CaseIterable {
    /// The text that is marked.
    case readSelection
    /// The text that was copied.
    case readClipboard
    /// Text goes to the clipboard.
    case copy
    /// Text is typed.
    case type
    /// The keys for pasting are pressed.
    case pressPaste

    /// Whether text goes in.
    var takesText: Bool { self == .copy || self == .type }
    /// Whether text comes out.
    var givesText: Bool { self == .readSelection || self == .readClipboard }
  }

  var program: String
  var arguments: [String]
  var package: String

  /// The programs that can do it there, the best first.
  ///
  /// Text goes in through standard input only: arguments are seen by everybody on the machine.
  ///
  /// - Parameter isPlain: whether the text has no letters but those that every keyboard has.
  static func tools(
    for task: Task, in session: DesktopText.Session, isPlain: Bool = true
  ) -> [DesktopTool] {
    switch (session, task) {
    case (.wayland, .readSelection):
      [wlPaste("--primary")]
    case (.wayland, .readClipboard):
      [wlPaste()]
    case (.wayland, .copy):
      [DesktopTool("wl-copy", "--type", "text/plain;charset=utf-8", package: "wl-clipboard")]
    case (.wayland, .type):
      [
        // Programs miss the first key of a keyboard that they have not yet heard of.
        DesktopTool("wtype", "-s", "150", "-", package: "wtype"),
        // For compositors that know no virtual keyboard, such as GNOME's; needs its daemon.
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
        // The hot key's own modifiers may still be held down. For other letters a key has to be given another
        // meaning each time, of which programs take notice too late if it goes any faster.
        DesktopTool(
          "xdotool", "type", "--clearmodifiers", "--delay", isPlain ? "12" : "40", "--file", "-",
          package: "xdotool")
      ]
    case (.x11, .pressPaste):
      [DesktopTool("xdotool", "key", "--clearmodifiers", "ctrl+v", package: "xdotool")]
    }
  }

  private init(_ program: String, _ arguments: String..., package: String) {
    self.init(program, arguments, package: package)
  }

  private init(_ program: String, _ arguments: [String], package: String) {
    self.program = program
    self.arguments = arguments
    self.package = package
  }

  private static func wlPaste(_ more: String...) -> DesktopTool {
    DesktopTool("wl-paste", more + ["--no-newline", "--type", "text"], package: "wl-clipboard")
  }

  private static func xclip(_ direction: String, _ selection: String) -> DesktopTool {
    // Asked for by this name the text is UTF-8; without it letters beyond Latin-1 are lost.
    DesktopTool(
      "xclip", direction, "-selection", selection, "-t", "UTF8_STRING", package: "xclip")
  }
}
