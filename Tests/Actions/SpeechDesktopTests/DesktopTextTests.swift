import Foundation
import SpeechConcurrency
import SpeechDesktop
import TestSupport
import Testing

/// Tests with substitutes for the desktop's programs.
struct DesktopTextTests {
  /// A folder that is the only one in `PATH`.
  private struct Programs {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "desktop-\(UUID().uuidString)", directoryHint: .isDirectory)

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func clear() { try? FileManager.default.removeItem(at: folder) }

    func add(_ name: String, _ script: String) throws {
      try ShellScript.write(script, to: folder.appending(path: name))
    }

    func text(of name: String) -> String? {
      try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    func desktop(_ display: String = "DISPLAY", timeout: Duration = .seconds(20)) -> DesktopText {
      DesktopText(environment: ["PATH": folder.path, display: ":9"], timeout: timeout)
    }
  }

  @Test func `without a desktop every access fails`() async throws {
    let none = DesktopText(environment: ["PATH": "/usr/bin"])
    #expect(none.session == nil)
    #expect(none.missingPackages.isEmpty)
    await #expect(throws: DesktopError.noDesktop) { try await none.selection() }
    #expect(DesktopError.noDesktop.localizedDescription.contains("WAYLAND_DISPLAY"))
  }

  @Test func `a missing program is reported with its package`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    let error = await #expect(throws: DesktopError.self) {
      try await programs.desktop().selection()
    }
    #expect(error == .missingProgram(["xclip", "xsel"], packages: ["xclip", "xsel"]))
    #expect(error?.localizedDescription.contains("sudo apt install xclip (or xsel)") == true)
    #expect(programs.desktop().missingPackages == ["xclip", "xdotool"])
    #expect(programs.desktop("WAYLAND_DISPLAY").missingPackages == ["wl-clipboard", "wtype"])
  }

  @Test func `the next program is used if one fails`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    try programs.add("xclip", "echo broken >&2; exit 3")
    await #expect(throws: DesktopError.failed(program: "xclip", reason: "broken")) {
      try await programs.desktop().selection()
    }
    try programs.add("xsel", "printf 'größer'")
    #expect(try await programs.desktop().selection() == "größer")
    try programs.add("xsel", "true")
    await #expect(throws: DesktopError.nothingSelected) {
      try await programs.desktop().selection()
    }
  }

  @Test func `the complete text is passed through standard input`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    let folder = programs.folder.path
    try programs.add(
      "wl-copy", "/bin/cat > '\(folder)/copied'; echo \"$@\" > '\(folder)/arguments'")
    let text = String(repeating: "$(id) `x` 'ü' \"\\\n", count: 40_000)
    try await programs.desktop("WAYLAND_DISPLAY").copy(text)
    #expect(programs.text(of: "copied") == text)
    #expect(programs.text(of: "arguments")?.contains("id") == false)
  }

  @Test func `background processes are not waited for`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    try programs.add("xclip", "/bin/sleep 600 & echo $! > '\(programs.folder.path)/pid'")
    try await programs.desktop().copy("text")
    let number = try #require(
      programs.text(of: "pid").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) })
    #expect(kill(number, SIGKILL) == 0)
  }

  @Test func `a program that hangs is stopped`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    try programs.add("wl-paste", "exec /bin/sleep 600")
    let time = Duration.milliseconds(50)
    await #expect(throws: DesktopError.timedOut(program: "wl-paste", time)) {
      try await programs.desktop("WAYLAND_DISPLAY", timeout: time).selection()
    }
  }

  @Test func `cancelling stops the program`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    let mark = programs.folder.appending(path: "started").path
    #expect(mkfifo(mark, 0o600) == 0)
    try programs.add("xclip", "echo $$ > '\(mark)'; exec /bin/sleep 600")
    let desktop = programs.desktop(timeout: .seconds(600))
    let task = Task { try await desktop.selection() }
    let number = try await onOwnThread { () -> pid_t? in
      // Waits until the program has started.
      let data = try FileHandle(forReadingFrom: URL(filePath: mark)).readToEnd() ?? Data()
      return pid_t(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(kill(try #require(number), 0) != 0)
  }

  @Test func `excessive output is refused`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    try programs.add("xclip", "exec /usr/bin/yes")
    let error = await #expect(throws: DesktopError.self) {
      try await programs.desktop().selection()
    }
    #expect(error?.localizedDescription.contains("16 MiB") == true)
  }

  @Test func `short text is typed, and long or multi-line text is pasted`() async throws {
    let programs = try Programs()
    defer { programs.clear() }
    let folder = programs.folder.path
    let log = "echo \"${0##*/} $1\" >> '\(folder)/log'; /bin/cat > /dev/null"
    for name in ["xclip", "xdotool"] { try programs.add(name, log) }
    let desktop = programs.desktop()
    try await desktop.put("short")
    try await desktop.put("two\nlines")
    try await desktop.put("short", by: .paste)
    #expect(
      programs.text(of: "log")
        == "xdotool type\nxclip -i\nxdotool key\nxclip -i\nxdotool key\n")
  }
}
