import AIServices
import Foundation

/// A separate process for tests: it can be killed while it writes, run on its own bus, and share
/// files with others.
@main
struct ServiceWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "write":
      try await write(FileCredentialStore(folder: URL(filePath: arguments[2])), arguments)
    case "die":
      try await die(FileCredentialStore(folder: URL(filePath: arguments[2])), arguments)
    case "serve":
      let timeout = Duration.milliseconds(Int(arguments[2]) ?? 30_000)
      await serve(SecretServiceStore(timeout: timeout))
    case "share":
      await SpeechSharing(folder: arguments[2], seed: UInt64(arguments[3]) ?? 0)
        .run(rounds: Int(arguments[4]) ?? 0)
    case "keep-and-die": await SpeechSharing(folder: arguments[2], seed: 0).die(at: arguments[3])
    case "configure":
      try await ConfigurationSharing(file: arguments[2], name: arguments[3])
        .run(edits: Int(arguments[4]) ?? 0)
    case "configure-forever":
      try await ConfigurationSharing(file: arguments[2], name: arguments[3]).runForever()
    case "configure-and-die":
      try await ConfigurationSharing(file: arguments[2], name: "dying").die(at: arguments[3])
    default: exit(64)
    }
  }

  /// `write FOLDER PROVIDER COUNT UMASK [LIMIT]`: stores a secret COUNT times. A `#` in the
  /// provider's name is replaced by the number.
  private static func write(_ store: FileCredentialStore, _ arguments: [String]) async throws {
    let count = Int(arguments[4]) ?? 1
    umask(mode_t(arguments[5], radix: 8) ?? 0o022)
    if arguments.count > 6, let limit = UInt(arguments[6]) {
      // A limit on the size of files, to simulate a full disk.
      signal(SIGXFSZ, SIG_IGN)
      var most = rlimit(rlim_cur: limit, rlim_max: limit)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most)
    }
    for number in 1...count {
      try await put(
        number, for: arguments[3].replacing("#", with: String(number)), into: store)
    }
  }

  /// `die FOLDER PROVIDER COUNT UMASK STEP`: stores a secret COUNT times, then once more, and is
  /// killed at that step.
  private static func die(_ store: FileCredentialStore, _ arguments: [String]) async throws {
    let count = Int(arguments[4]) ?? 0
    umask(mode_t(arguments[5], radix: 8) ?? 0o022)
    for number in 0..<count { try await put(number + 1, for: arguments[3], into: store) }
    guard let point = DeathPoint(rawValue: arguments[6]), point.arm() else { exit(2) }
    try await put(count + 1, for: arguments[3], into: store)
  }

  private static func put(
    _ number: Int, for providerID: String, into store: FileCredentialStore
  ) async throws {
    let id = try CredentialID(providerID: providerID, type: .apiKey)
    // Long and uniform, so that a torn value is recognisable.
    let value = String(repeating: number.isMultiple(of: 2) ? "even" : "odd-", count: 1_000)
    do {
      try await store.change(id) { _ in
        CredentialEntry(
          credential: AICredential(providerID: providerID, type: .apiKey, name: "Test"),
          value: SecureString(value))
      }
    } catch {
      say("error \(error.localizedDescription)")
      exit(1)
    }
  }

  /// `serve MILLISECONDS`: answers each line of standard input with a line.
  private static func serve(_ store: SecretServiceStore) async {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      do {
        say(try await answer(words, store))
      } catch {
        let kind = String(describing: error).prefix { $0 != "(" }
        say("\(kind) \(error.localizedDescription)")
      }
    }
  }

  private static func answer(_ words: [String], _ store: SecretServiceStore) async throws -> String
  {
    if words[0] == "list" {
      let all =
        if words.count > 1 { try await store.list(for: words[1]) } else { try await store.list() }
      return all.map { "\($0.providerID)/\($0.name)" }.sorted().joined(separator: " ")
    }
    let id = try CredentialID(providerID: words[1], type: .apiKey)
    switch words[0] {
    case "set":
      let credential = AICredential(
        providerID: words[1], type: .apiKey, name: words.count > 3 ? words[3] : "Test")
      try await store.change(id) { _ in
        CredentialEntry(credential: credential, value: SecureString(words[2]))
      }
      return "stored"
    case "get": return try await store.entry(for: id)?.value.value ?? "nothing"
    case "keep":
      return try await manager(store).store(
        credential: AICredential(providerID: words[1], type: .apiKey, name: "Test"),
        value: SecureString(words[2]))
    case "fetch":
      return try await manager(store).retrieve(providerID: words[1], type: .apiKey).value
    case "remove":
      try await store.change(id) { _ in nil }
      return "removed"
    case "repeat":
      let start = ContinuousClock.now
      let count = Int(words[2]) ?? 1
      for _ in 0..<count { _ = try await store.entry(for: id) }
      return "\(count) in \(start.duration(to: .now)), descriptors \(descriptors)"
    case "cancel":
      // The test sends another line when the request has reached the bus.
      let task = Task { try await store.entry(for: id) }
      _ = readLine()
      task.cancel()
      return (try? await task.value) == nil ? "cancelled" : "finished"
    default: return "?"
    }
  }

  private static func manager(_ store: SecretServiceStore) -> AICredentialManager {
    AICredentialManager(sources: [store, FileCredentialStore()])
  }

  private static var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
