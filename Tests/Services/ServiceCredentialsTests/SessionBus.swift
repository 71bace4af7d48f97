import Foundation
import TestSupport
import Testing

/// A session bus with a GNOME Keyring and a home folder: the Secret Service of a desktop.
final class SessionBus: Sendable {
  /// True if the programs are installed.
  static let isInstalled = [
    "/usr/bin/dbus-daemon", "/usr/bin/dbus-monitor", "/usr/bin/gnome-keyring-daemon",
  ].allSatisfy(FileManager.default.isExecutableFile)

  let workshop: PrivateWorkshop
  let environment: [String: String]
  private let bus: WorkerProcess

  init() async throws {
    workshop = try PrivateWorkshop()
    // A bus that starts no services, so that the test controls all of them.
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
    // It prints its address when it is ready.
    _ = try #require(await bus.line())
    return bus
  }

  /// Starts a keyring and unlocks it with the password; the first one creates it. Returns when it
  /// is on the bus.
  func startKeyring(password: String = "test") async throws -> WorkerProcess {
    try await startService("--unlock", saying: password)
  }

  /// Starts a keyring without unlocking it. Returns when it is on the bus.
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
    // The name is followed by its last owner, which is empty if there was one and it has left, and
    // its new one.
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

  /// Starts a program that prints the matching messages on the bus. Returns when it is listening.
  func startListener(_ rule: String) async throws -> WorkerProcess {
    let listener = try WorkerProcess(
      ["--address", "unix:path=\(workshop.path("bus"))", rule], of: "/usr/bin/dbus-monitor",
      environment: environment)
    // A monitor releases its unique name.
    try await listener.lines(until: "member=NameLost")
    _ = await listener.line()
    return listener
  }

  /// Starts a program that uses the service with the given timeout.
  func startClient(timeout: Duration = .seconds(30)) throws -> WorkerProcess {
    try WorkerProcess(
      ["serve", String(Int(timeout / .milliseconds(1)))], environment: environment)
  }

  func end() async {
    bus.send(SIGKILL)
    await bus.status()
  }
}
