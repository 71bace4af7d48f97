import Foundation
import SpeechConcurrency
import SpeechDesktop
import TestSupport
import Testing

/// Tests with real desktops without a screen: Xvfb with xterm, and sway with foot.
@Suite(.serialized) struct DesktopSessionTests {
  /// A desktop with a terminal in which `cat` writes a file.
  private final class Session: Sendable {
    let folder: URL
    let desktop: DesktopText
    let environment: [String: String]
    private let processes: Guarded<[Process]>

    /// - Throws: The errors of starting the desktop.
    init(_ kind: DesktopText.Session) async throws {
      folder = FileManager.default.temporaryDirectory
        .appending(path: "session-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let processes = Guarded<[Process]>([])
      self.processes = processes
      var environment = [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path,
      ]
      // Typed text ends in a file; “ready” is reported through a pipe.
      let pipe = folder.appending(path: "ready").path
      try #require(mkfifo(pipe, 0o600) == 0)
      let shell =
        "printf 'größer text'; echo ready > \(pipe); cat > \(folder.path)/typed; echo done > "
        + "\(pipe)"
      switch kind {
      case .x11:
        let number = Pipe()
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/Xvfb")
        server.arguments = ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
        server.standardOutput = number
        server.standardError = FileHandle.nullDevice
        try server.run()
        processes.withLock { $0.append(server) }
        var display = ""
        while let byte = try number.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
          display.append(Character(Unicode.Scalar(byte)))
        }
        environment["DISPLAY"] = ":\(display)"
        let terminal = Process()
        terminal.executableURL = URL(filePath: "/usr/bin/xterm")
        terminal.arguments = ["-u8", "-geometry", "130x45+0+0", "-e", "sh", "-c", shell]
        terminal.environment = environment
        terminal.standardError = FileHandle.nullDevice
        try terminal.run()
        processes.withLock { $0.append(terminal) }
      case .wayland:
        let configuration = folder.appending(path: "sway.conf")
        try "exec foot sh -c \"\(shell)\"\n".write(
          to: configuration, atomically: true, encoding: .utf8)
        environment["XDG_RUNTIME_DIR"] = folder.path
        let server = Process()
        let sway = ["/usr/bin/sway", "-c", configuration.path]
        var command = sway
        if geteuid() == 0 {
          // The program does not run as root.
          chown(folder.path, 65_534, 65_534)
          chown(pipe, 65_534, 65_534)
          command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + sway
        }
        server.executableURL = URL(filePath: command[0])
        server.arguments = Array(command.dropFirst())
        server.environment = environment.merging([
          "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
        ]) { $1 }
        server.standardError = FileHandle.nullDevice
        try server.run()
        processes.withLock { $0.append(server) }
        environment["WAYLAND_DISPLAY"] = "wayland-1"
      }
      self.environment = environment
      desktop = DesktopText(environment: environment, timeout: .seconds(120))
    }

    deinit { end() }

    /// Waits until the terminal reports a word.
    func told(_ word: String) async throws {
      let path = folder.appending(path: "ready").path
      let text = try await onOwnThread {
        let data = try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self)
      }
      #expect(text == word + "\n")
    }

    func run(_ program: String, _ arguments: String...) async throws {
      let run = try await FinishedProgram(
        running: "/usr/bin/\(program)", arguments, environment: environment)
      #expect(run.status == 0, "\(run.errorText)")
    }

    var typed: String? {
      try? String(contentsOf: folder.appending(path: "typed"), encoding: .utf8)
    }

    func end() {
      for process in processes.withLock({ $0 }).reversed() where process.isRunning {
        // The process was started on a task's thread, whose signal mask blocks all other signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      try? FileManager.default.removeItem(at: folder)
    }
  }

  private static func has(_ programs: String...) -> Bool {
    programs.allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }
  }

  private static let hasX11 = has("Xvfb", "xterm", "xclip", "xdotool")
  private static let hasWayland = has("sway", "foot", "wl-copy", "wtype", "setpriv")

  @Test(.enabled(if: hasX11), .timeLimit(.minutes(20)))
  func `X11: the selection is read, and text is typed and copied`() async throws {
    let session = try await Session(.x11)
    defer { session.end() }
    try await session.told("ready")
    let desktop = session.desktop
    await #expect(throws: DesktopError.nothingSelected) { try await desktop.selection() }
    // Selects the line with the mouse, again if the window was not there yet.
    while (try? await desktop.selection())?.trimmingCharacters(in: .newlines) != "größer text" {
      try Task.checkCancellation()
      try await session.run(
        "xdotool", "mousemove", "30", "8", "sleep", "0.4", "click", "--repeat", "3", "1",
        "sleep", "0.2")
    }
    try await desktop.copy("Kopie: 日本\n\"$HOME\"")
    #expect(try await desktop.clipboard() == "Kopie: 日本\n\"$HOME\"")
    try await desktop.put("It is typed; `id` $(id) 100 %.")
    try await session.run("xdotool", "key", "Return", "ctrl+d")
    try await session.told("done")
    #expect(session.typed == "It is typed; `id` $(id) 100 %.\n")
  }

  @Test(.enabled(if: hasWayland), .timeLimit(.minutes(20)))
  func `Wayland: the selection is read, and text is typed and copied`() async throws {
    let session = try await Session(.wayland)
    defer { session.end() }
    try await session.told("ready")
    let desktop = session.desktop
    await #expect(throws: DesktopError.nothingSelected) { try await desktop.selection() }
    try await desktop.copy("Kopie: 日本\n\"$HOME\"")
    #expect(try await desktop.clipboard() == "Kopie: 日本\n\"$HOME\"")
    try await desktop.put("Es wird größer: 日本 `id`")
    try await session.run(
      "wtype", "-s", "200", "-k", "Return", "-s", "200", "-M", "ctrl", "d", "-m", "ctrl")
    try await session.told("done")
    #expect(session.typed == "Es wird größer: 日本 `id`\n")
  }
}
