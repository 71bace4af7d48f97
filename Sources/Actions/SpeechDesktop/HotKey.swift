import Foundation

/// A key that a desktop runs a command for, and how the desktop is told of it.
///
/// ```swift
/// let key = try HotKey("Super+T")
/// print(key.snippet(for: .sway, running: ["speechkit", "run", "translate", "--selection"]))
/// ```
public struct HotKey: Sendable, Hashable, CustomStringConvertible {
  /// A desktop whose settings are known.
  public enum Desktop: String, Sendable, Hashable, CaseIterable {
    /// GNOME.
    case gnome
    /// KDE Plasma.
    case kde
    /// Sway, and i3, which has the same words.
    case sway
  }

  /// Keys that are held down meanwhile.
  public enum Modifier: String, Sendable, Hashable, CaseIterable {
    /// The key between Ctrl and Alt.
    case `super` = "Super"
    /// Control.
    case control = "Ctrl"
    /// Alt.
    case alt = "Alt"
    /// Shift.
    case shift = "Shift"
  }

  /// Something that is no key.
  public struct ReadingError: Error, LocalizedError, Hashable {
    /// What was given.
    public let text: String
    /// What it should look like.
    public var errorDescription: String? {
      "“\(text)” is no hot key. It looks like Super+T or Ctrl+Alt+F9: at least one of Super, Ctrl and Alt, and "
        + "a letter, a digit or F1 to F12."
    }
  }

  /// What is held down.
  public let modifiers: Set<Modifier>
  /// The key: a capital letter, a digit, or `F1` to `F12`.
  public let key: String

  /// Reads a key like `Super+T`.
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

  /// `Super+T`.
  public var description: String { (held.map(\.rawValue) + [key]).joined(separator: "+") }

  /// What makes the desktop run the command when the key is pressed: shell commands for GNOME and KDE, and
  /// lines of the configuration file for sway.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - name: what it is called in the desktop's settings.
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
      "$write" --file kglobalshortcutsrc --group \(id).desktop --key _k_friendly_name \(Self.quoted(name))
      "$write" --file kglobalshortcutsrc --group \(id).desktop --key _launch \(Self.quoted("\(keys),none,\(name)"))

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

  /// As a word of a shell.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,%+@".contains($0)) }
    return isPlain ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  /// As a text of gsettings, within a word of a shell.
  private static func variant(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return quoted("\"\(escaped)\"")
  }

  /// As an argument in a desktop entry.
  private static func desktopQuoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,+@".contains($0)) }
    guard !isPlain else { return word }
    var escaped = ""
    for character in word {
      switch character {
      // Read twice: as a string of the file and as a quoted argument.
      case "\\": escaped += "\\\\\\\\"
      case "\"", "`", "$": escaped += "\\\\\(character)"
      case "%": escaped += "%%"
      default: escaped.append(character)
      }
    }
    return "\"\(escaped)\""
  }
}
