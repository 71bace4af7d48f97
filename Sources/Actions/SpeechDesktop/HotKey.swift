import Foundation

/// A hot key, with the commands that bind it in each desktop.
///
/// ```swift
/// let key = try HotKey("Super+T")
/// print(key.snippet(for: .sway, running: ["speechkit", "run", "translate", "--selection"]))
/// ```
public struct HotKey: Sendable, Hashable, CustomStringConvertible {
  /// A desktop whose hot keys can be set by commands.
  public enum Desktop: String, Sendable, Hashable, CaseIterable {
    /// The GNOME desktop.
    case gnome
    /// The KDE Plasma desktop.
    case kde
    /// Sway, and i3, which has the same configuration.
    case sway
  }

  /// A modifier key of a hot key.
  public enum Modifier: String, Sendable, Hashable, CaseIterable {
    /// The key between Ctrl and Alt.
    case `super` = "Super"
    /// The Control (Ctrl) key.
    case control = "Ctrl"
    /// The Alt (Option) key.
    case alt = "Alt"
    /// The Shift key, together with another modifier.
    case shift = "Shift"
  }

  /// A text that is not a valid hot key.
  public struct ReadingError: Error, LocalizedError, Hashable {
    /// The text that was given.
    public let text: String
    /// A description of the error with an example.
    public var errorDescription: String? {
      "“\(text)” is not a valid hot key. Use for example Super+T or Ctrl+Alt+F9: at least one of "
        + "Super, Ctrl and Alt, and a letter, a digit or F1 to F12."
    }
  }

  /// The modifier keys that must be pressed.
  public let modifiers: Set<Modifier>
  /// The key: a capital letter, a digit, or `F1` to `F12`.
  public let key: String

  /// Parses a hot key like `Super+T`.
  ///
  /// - Throws: `ReadingError`.
  public init(_ text: String) throws(ReadingError) {
    var parts = text.split(separator: "+", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let key = parts.popLast()?.uppercased() ?? ""
    var modifiers: Set<Modifier> = []
    for part in parts {
      guard let modifier = Self.modifier(part), modifiers.insert(modifier).inserted else {
        throw ReadingError(text: text)
      }
    }
    let isPlain = key.count == 1 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isFunction = (1...12).contains { key == "F\($0)" }
    guard isPlain || isFunction, !modifiers.subtracting([.shift]).isEmpty else {
      throw ReadingError(text: text)
    }
    self.modifiers = modifiers
    self.key = key
  }

  /// The hot key as text, like `Super+T`.
  public var description: String { (held.map(\.rawValue) + [key]).joined(separator: "+") }

  /// Returns the commands that bind the hot key: shell commands for GNOME and KDE, and lines of the
  /// configuration file for sway.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - name: The name in the desktop's settings.
  public func snippet(
    for desktop: Desktop, running command: [String], name: String = "SpeechKit"
  ) -> String {
    let line = command.map(Self.quoted).joined(separator: " ")
    switch desktop {
    case .gnome: return gnome(line, name)
    case .kde: return kde(command, name)
    case .sway:
      let keys = (held.map { $0 == .super ? "Mod4" : $0.rawValue } + [swayKey])
        .joined(separator: "+")
      return """
        # In ~/.config/sway/config; then run: swaymsg reload
        bindsym \(keys) exec \(line)

        """
    }
  }

  private var held: [Modifier] { Modifier.allCases.filter(modifiers.contains) }

  private var swayKey: String { key.count == 1 ? key.lowercased() : key }

  private func gnome(_ line: String, _ name: String) -> String {
    let id = Self.identifier(name)
    let words = [
      Modifier.super: "<Super>", .control: "<Control>", .alt: "<Alt>", .shift: "<Shift>",
    ]
    let keys = held.compactMap { words[$0] }.joined() + swayKey
    return """
      # For a shell; the other keys that you have set stay as they are.
      schema=org.gnome.settings-daemon.plugins.media-keys
      path=/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/\(id)/
      list=$(gsettings get $schema custom-keybindings)
      case $list in
        *"'$path'"*) ;;
        *"[]") gsettings set $schema custom-keybindings "['$path']" ;;
        *) gsettings set $schema custom-keybindings "${list%]}, '$path']" ;;
      esac
      gsettings set $schema.custom-keybinding:$path name \(Self.variant(name))
      gsettings set $schema.custom-keybinding:$path command \(Self.variant(line))
      gsettings set $schema.custom-keybinding:$path binding \(Self.variant(keys))

      """
  }

  private func kde(_ command: [String], _ name: String) -> String {
    let id = Self.identifier(name)
    let words = [Modifier.super: "Meta", .control: "Ctrl", .alt: "Alt", .shift: "Shift"]
    let keys = (held.compactMap { words[$0] } + [key]).joined(separator: "+")
    let exec = command.map(Self.desktopQuoted).joined(separator: " ")
    let group = "--file kglobalshortcutsrc --group \(id).desktop"
    let launch = Self.quoted("\(keys),none,\(name)")
    return """
      # For a shell; the key works from the next login on.
      apps="${XDG_DATA_HOME:-$HOME/.local/share}/applications"
      mkdir -p "$apps"
      cat > "$apps/\(id).desktop" <<'END'
      [Desktop Entry]
      Type=Application
      Name=\(name)
      Exec=\(exec)
      NoDisplay=true
      StartupNotify=false
      X-KDE-GlobalAccel-CommandShortcut=true
      END
      write=$(command -v kwriteconfig6 || command -v kwriteconfig5)
      "$write" \(group) --key _k_friendly_name \(Self.quoted(name))
      "$write" \(group) --key _launch \(launch)

      """
  }

  private static func modifier(_ text: String) -> Modifier? {
    switch text.lowercased() {
    case "super", "meta", "win", "mod4": .super
    case "ctrl", "control": .control
    case "alt", "mod1": .alt
    case "shift": .shift
    default: nil
    }
  }

  private static func identifier(_ name: String) -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "speechkit" : words.joined(separator: "-")
  }

  /// Quotes a word for a shell.
  static func quoted(_ word: String) -> String {
    isPlain(word) ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  private static func isPlain(_ word: String) -> Bool {
    !word.isEmpty
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,+@".contains($0)) }
  }

  /// Quotes a string for gsettings, within a word of a shell.
  private static func variant(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return quoted("\"\(escaped)\"")
  }

  /// Quotes an argument for a desktop entry.
  private static func desktopQuoted(_ word: String) -> String {
    guard !isPlain(word) else { return word }
    var escaped = ""
    for character in word {
      switch character {
      // Parsed twice: as a string of the file and as a quoted argument.
      case "\\": escaped += "\\\\\\\\"
      case "\"", "`", "$": escaped += "\\\\\(character)"
      case "%": escaped += "%%"
      default: escaped.append(character)
      }
    }
    return "\"\(escaped)\""
  }
}
