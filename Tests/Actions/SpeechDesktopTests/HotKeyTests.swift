import Foundation
import SpeechDesktop
import TestSupport
import Testing

struct HotKeyTests {
  private static let command = ["/opt/my tools/speechkit", "run", "it's", "--selection"]

  @Test(arguments: [
    ("super+t", "Super+T"), ("Control+Alt+f9", "Ctrl+Alt+F9"), ("Shift+Meta+1", "Super+Shift+1"),
  ])
  func `hot keys are parsed`(text: String, key: String) throws {
    #expect(try HotKey(text).description == key)
  }

  @Test(arguments: [
    "", "T", "Shift+T", "Super+", "Super+TT", "Super+F13", "Hyper+T", "Super+Super+T",
  ])
  func `invalid hot keys are rejected`(text: String) {
    #expect(throws: HotKey.ReadingError.self) { try HotKey(text) }
  }

  @Test func `sway gets a line of its configuration`() throws {
    let text = try HotKey("Super+T").snippet(for: .sway, running: Self.command)
    #expect(
      text.contains(#"bindsym Mod4+t exec '/opt/my tools/speechkit' run 'it'\''s' --selection"#))
  }

  @Test func `GNOME keeps its other hot keys`() async throws {
    let key = try HotKey("Super+Shift+F5")
    let text = key.snippet(for: .gnome, running: ["speechkit", "run"], name: "SpeechKit run")
    #expect(text.contains("custom-keybindings/speechkit-run/"))
    #expect(text.contains(#"binding '"<Super><Shift>F5"'"#))
    // A shell runs the commands with a substitute for gsettings, with and without an existing key.
    for (present, wanted) in [
      ("@as []", "['/P/']"), ("['/a/']", "['/a/', '/P/']"), ("['/P/']", nil),
    ] as [(String, String?)] {
      let path = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/speechkit-run/"
      let script = """
        gsettings() { if [ "$1" = get ]; then echo "\(present.replacingOccurrences(of: "/P/", with: path))"; \
        else printf '%s|' "$@"; echo; fi; }
        \(text)
        """
      let lines = try await Shell.lines(of: script)
      let set = lines.first { $0.contains("|custom-keybindings|") }
      #expect(
        set.map { $0.replacingOccurrences(of: path, with: "/P/") }
          == wanted.map {
            "set|org.gnome.settings-daemon.plugins.media-keys|custom-keybindings|\($0)|"
          }
      )
      #expect(lines.contains { $0.hasSuffix("|command|\"speechkit run\"|") })
    }
  }

  @Test func `KDE gets a program and its hot key`() async throws {
    let text = try HotKey("Super+T").snippet(
      for: .kde, running: ["speechkit", "say \"100 %\" $x"], name: "SpeechKit run")
    #expect(text.contains(#"Exec=speechkit "say \\"100 %%\\" \\$x""#), "\(text)")
    #expect(text.contains("_launch 'Meta+T,none,SpeechKit run'"))
    #expect(try await Shell.lines(of: "set -n\n" + text).isEmpty)
  }
}

/// A shell that runs the printed commands.
private enum Shell {
  static func lines(of script: String) async throws -> [String] {
    let shell = try await FinishedProgram(running: "/bin/sh", ["-c", script])
    #expect(shell.status == 0)
    return shell.text.split(separator: "\n").map(String.init)
  }
}
