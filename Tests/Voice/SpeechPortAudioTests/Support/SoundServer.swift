import Foundation
import SpeechAudio
import SpeechConcurrency
import Synchronization

@testable import SpeechPortAudio

/// A PulseAudio server with a null sink that a test may kill, stop and start again.
///
/// It replaces the server of `Scripts/with-null-sink`: that server's socket is moved aside, and a
/// link to this one's is put in its place, so that the environment stays the same. `restore()`
/// reinstates the first server.
final class SoundServer: Sendable {
  struct Failure: Error {
    let reason: String
  }

  /// A running program and its end. Not Foundation's `Process`, which considers a program that
  /// closes inherited descriptors, as PulseAudio does, to have ended, and then waits for it on a
  /// thread that others need.
  private struct Program {
    let id: pid_t
    let end = FirstResult<Int32>()
  }

  private struct State {
    var server: Program?
    var reader: Program?
  }

  private let room: URL
  private let socket: URL
  /// The path at which programs look for the sound server.
  private let place: URL
  private let aside: URL
  private let state = Guarded(State())

  /// Replaces the first server. No server answers until `start()`.
  init() throws {
    let environment = ProcessInfo.processInfo.environment
    guard let address = environment["PULSE_SERVER"], address.hasPrefix("unix:") else {
      throw Failure(reason: "PULSE_SERVER is not a socket")
    }
    place = URL(fileURLWithPath: String(address.dropFirst(5)))
    aside = place.appendingPathExtension("aside")
    room = FileManager.default.temporaryDirectory
      .appendingPathComponent("sound-server.\(UUID().uuidString.prefix(8))")
    socket = room.appendingPathComponent("native")
    try FileManager.default.createDirectory(
      at: room, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try FileManager.default.moveItem(at: place, to: aside)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: socket)
  }

  /// Starts the server and waits until it answers.
  func start() async throws {
    try? FileManager.default.removeItem(at: socket)
    let server = try launch(
      [
        "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
        "--log-target=file:\(room.path)/log", "-L",
        "module-native-protocol-unix socket=\(socket.path)",
        "-L", "module-null-sink sink_name=nul rate=16000 channels=1",
      ])
    state.withLock { $0.server = server }
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let question = try launch(["pactl", "info"])
      if try await question.end.value() == 0 { break }
      guard ContinuousClock.now < deadline else { throw Failure(reason: "no answer") }
    }
    // Without a reader with a short latency, the sink wakes up only every two seconds.
    let reader = try launch([
      "parec", "-d", "nul.monitor", "--latency-msec=20", "--rate=16000", "--channels=1",
      "--format=s16le",
    ])
    state.withLock { $0.reader = reader }
    // It does so from its next wake-up, which has happened when another reader receives audio.
    let listening = try launch([
      "sh", "-c",
      "timeout 5 parec -d nul.monitor --latency-msec=20 --rate=16000 --channels=1 --format=s16le"
        + " | head -c 16000",
    ])
    _ = try await listening.end.value()
  }

  /// Kills the server with SIGKILL, and waits for its end.
  func kill() async {
    let (server, reader) = state.withLock { state in
      defer { state = State() }
      return (state.server, state.reader)
    }
    for program in [reader, server].compactMap({ $0 }) {
      Foundation.kill(program.id, SIGKILL)
      _ = try? await program.end.value()
    }
  }

  /// Suspends or resumes the server.
  func signal(_ signal: Int32) {
    state.withLock { state in
      if let server = state.server { Foundation.kill(server.id, signal) }
    }
  }

  /// Kills this server and reinstates the first one.
  func restore() async {
    signal(SIGCONT)
    await kill()
    try? FileManager.default.removeItem(at: place)
    try? FileManager.default.moveItem(at: aside, to: place)
    try? FileManager.default.removeItem(at: room)
  }

  private func launch(_ command: [String]) throws -> Program {
    var environment = ProcessInfo.processInfo.environment
    environment["PULSE_SERVER"] = "unix:\(socket.path)"
    environment["XDG_RUNTIME_DIR"] = room.path
    environment["PULSE_RUNTIME_PATH"] = room.path
    environment["PULSE_STATE_PATH"] = room.path
    environment["PULSE_COOKIE"] = room.appendingPathComponent("cookie").path
    if command.first == "pulseaudio" { environment["PULSE_SERVER"] = nil }
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for text in arguments + variables { free(text) }
    }
    var id: pid_t = 0
    let failure = posix_spawnp(&id, command[0], &actions, nil, &arguments, &variables)
    guard failure == 0 else {
      throw Failure(reason: "\(command[0]): \(String(cString: strerror(failure)))")
    }
    let program = Program(id: id)
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(program.id, &status, 0) < 0 && errno == EINTR {}
      program.end.give(.success(status))
    }
    return program
  }
}

/// Runs the body with a sound server of its own instead of the common one.
func withSoundServer(_ body: (SoundServer) async throws -> Void) async throws {
  let server = try SoundServer()
  do {
    try await body(server)
  } catch {
    await server.restore()
    throw error
  }
  await server.restore()
}
