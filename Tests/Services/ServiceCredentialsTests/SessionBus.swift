import Foundation
import TestSupport
import Testing

/// A session bus and, on it, a GNOME Keyring with a home of its own: the Secret Service as a desktop has it.
final class SessionBus: Sendable {
  /// Whether the programs are installed.
  static let isInstalled = [
    "/usr/bin/dbus-daemon", "/usr/bin/dbus-monitor", "/usr/bin/gnome-keyring-daemon",
  ].allSatisfy(FileManager.default.isExecutableFile)

  let workshop: PrivateWorkshop
  let environment: [String: String]
  private let bus: WorkerProcess

  init() async throws {
    workshop = try PrivateWorkshop()
    // A bus that starts nothing by itself, so that what is on it is what the test put there.
    try workshop.write(
      """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(workshop.path("bus"))</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    try FileManager.default.createDirectory(
      atPath: workshop.path("data/keyrings"), withIntermediateDirectories: true)
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": workshop.folder.path, "XDG_DATA_HOME": workshop.path("data"),
      "XDG_RUNTIME_DIR": workshop.folder.path,
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(workshop.path("bus"))",
    ]
    bus = try await Self.startBus(workshop)
  }

  private static func startBus(_ workshop: PrivateWorkshop) async throws -> WorkerProcess {
    let bus = try WorkerProcess(
      [
        "--config-file=\(workshop.path("bus.conf"))", "--nofork", "--nopidfile",
        "--print-address=1",
      ],
      of: "/usr/bin/dbus-daemon")
    // It says its address when it listens.
    _ = try #require(await bus.line())
    return bus
  }

  /// Starts a keyring that the password opens; the first one makes it. Returns when it is on the bus.
  func startKeyring(password: String = "test") async throws -> WorkerProcess {
    try await startService("--unlock", saying: password)
  }

  /// Starts a keyring that is not opened. Returns when it is on the bus.
  func startLockedKeyring() async throws -> WorkerProcess { try await startService("--start") }

  private func startService(
    _ option: String, saying password: String? = nil
  ) async throws -> WorkerProcess {
    let listener = try await startListener(
      "type='signal',member='NameOwnerChanged',arg0='org.freedesktop.secrets'")
    let keyring = try WorkerProcess(
      ["--foreground", option, "--components=secrets"], of: "/usr/bin/gnome-keyring-daemon",
      environment: environment)
    if let password { keyring.close(saying: password) }
    // After the name its last owner, which is none any more when there was one, and its new one.
    var owner = ""
    while owner.isEmpty {
      try await listener.lines(until: "\"org.freedesktop.secrets\"")
      _ = await listener.line()
      owner = try #require(await listener.line()).filter { $0 == ":" }
    }
    listener.send(SIGKILL)
    await listener.status()
    return keyring
  }

  /// Starts a program that writes down what goes over the bus and is of that kind. Returns when it listens.
  func startListener(_ rule: String) async throws -> WorkerProcess {
    let listener = try WorkerProcess(
      ["--address", "unix:path=\(workshop.path("bus"))", rule], of: "/usr/bin/dbus-monitor",
      environment: environment)
    // Whoever only listens gives the name up that all others have.
    try await listener.lines(until: "member=NameLost")
    _ = await listener.line()
    return listener
  }

  /// Starts a program that uses the service; its calls may take so long.
  func startClient(timeout: Duration = .seconds(30)) throws -> WorkerProcess {
    try WorkerProcess(
      ["serve", String(Int(timeout / .milliseconds(1)))], environment: environment)
  }

  func end() async {
    bus.send(SIGKILL)
    await bus.status()
  }
}
