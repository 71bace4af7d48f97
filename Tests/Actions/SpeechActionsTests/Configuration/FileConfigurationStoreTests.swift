import AIServices
import Foundation
import TestSupport
import Testing

@testable import SpeechActions

@Suite(.timeLimit(.minutes(20))) struct FileConfigurationStoreTests {
  /// A temporary folder.
  private final class Place: Sendable {
    let folder = URL.temporaryDirectory.appending(path: "configuration-\(UUID().uuidString)")
    var file: URL { folder.appending(path: "actions.toml") }
    var store: FileConfigurationStore { FileConfigurationStore(file: file) }
    var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: file) }
  }

  @Test func `without a file there are the built-in actions, and nothing is written`()
    async throws
  {
    let place = try Place()
    let snapshot = try await place.store.load()
    #expect(snapshot.configuration == ActionConfiguration())
    try await place.store.update { _ in }
    let added = try await place.store.update { $0.connectors.append(Connector(id: "a")) }
    #expect(added.configuration.connectors.map(\.id) == ["a"])
    #expect(try await place.store.load() == added)
    #expect(place.text.contains("version = 1"))
  }

  @Test func `the file is found by the rules of the base folders`() throws {
    let store = try FileConfigurationStore(environment: ["XDG_CONFIG_HOME": "/x"])
    #expect(store.file.path == "/x/speechkit/actions.toml")
    let usual = try FileConfigurationStore(environment: ["HOME": "/h"])
    #expect(usual.file.path == "/h/.config/speechkit/actions.toml")
  }

  @Test func `an invalid file is not overwritten`() async throws {
    let place = try Place()
    try place.write("version = 1\n[connector.a]\nkind = 7\n")
    await #expect(throws: ActionError.self) {
      try await place.store.update { $0.connectors.append(Connector(id: "b")) }
    }
    #expect(place.text == "version = 1\n[connector.a]\nkind = 7\n")
    try Data([0x76, 0x0A, 0xFF, 0xFE]).write(to: place.file)
    let error = await #expect(throws: ActionError.self) { try await place.store.load() }
    guard case .configuration(let diagnostics)? = error else { return }
    #expect(diagnostics.map(\.line) == [2])
  }

  @Test func `an invalid configuration is not written`() async throws {
    let place = try Place()
    try await place.store.update { $0.connectors.append(Connector(id: "a")) }
    let before = place.text
    await #expect(throws: ActionError.self) {
      try await place.store.update { $0.connectors[0].baseURL = "nonsense" }
    }
    await #expect(throws: ActionError.self) {
      try await place.store.update { $0.connectors[0].headers["Authorization"] = "Bearer x" }
    }
    #expect(place.text == before)
  }

  @Test func `a state that is not the current one is refused, and nothing is written`() async throws
  {
    let place = try Place()
    let base = try await place.store.update {
      $0.connectors = [Connector(id: "a"), Connector(id: "b")]
    }
    var mine = base.configuration
    mine.connectors[0].model = "mine"
    let saved = try await place.store.save(mine, basedOn: base)
    #expect(saved.configuration.connectors.map(\.model) == ["mine", ""])
    let text = place.text
    var theirs = base.configuration
    theirs.connectors[1].model = "theirs"
    await #expect(throws: ActionError.conflict(place.file.path)) {
      try await place.store.save(theirs, basedOn: base)
    }
    await #expect(throws: ActionError.conflict(place.file.path)) {
      try await place.store.replaceText("version = 1\n", inPlaceOf: base.text)
    }
    #expect(place.text == text)
    let whole = try await place.store.replaceText("version = 1\n", inPlaceOf: saved.text)
    #expect(whole.configuration == ActionConfiguration())
  }

  @Test func `symbolic links and permissions are preserved`() async throws {
    let place = try Place()
    let real = place.folder.appending(path: "dotfiles.toml")
    try Data("version = 1\n".utf8).write(to: real)
    chmod(real.path, 0o644)
    try FileManager.default.createSymbolicLink(at: place.file, withDestinationURL: real)
    try await place.store.update { $0.connectors.append(Connector(id: "a")) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.file.path) == real.path)
    #expect(try String(contentsOf: real, encoding: .utf8).contains("[connector.a]"))
    let mode =
      try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
  }

  @Test func `changes by any program are reported`() async throws {
    let place = try Place()
    let changes = place.store.changes()
    var states = changes.makeAsyncIterator()
    try await place.store.update { $0.connectors.append(Connector(id: "a")) }
    #expect(try await states.next()?.get().configuration.connectors.map(\.id) == ["a"])
    // Written as an editor does.
    try place.write("version = 1\n[connector.b]\n")
    while try await states.next()?.get().configuration.connectors.map(\.id) != ["b"] {}
    try place.write("nonsense")
    while case .success? = await states.next() {}
    try FileManager.default.removeItem(at: place.file)
    while case .failure? = await states.next() {}
  }

  @Test func `a file without a version gets one with the first change`()
    async throws
  {
    let place = try Place()
    try place.write("# by hand\n[connector.a]\nkind = \"on-device\"\n")
    #expect(try await place.store.load().configuration.connectors.map(\.id) == ["a"])
    #expect(!place.text.contains("version"))
    try await place.store.update { $0.connectors[0].name = "A" }
    // A comment directly above a table belongs to it.
    #expect(
      place.text
        == "version = 1\n# by hand\n[connector.a]\nkind = \"on-device\"\nname = \"A\"\n")
  }

  @Test(arguments: ["makeFile", "closeFile", "write", "sync", "rename", "unlock"])
  func `a killed program leaves the old file or the new one`(step: String) async throws {
    let place = try Place()
    let worker = try WorkerProcess(["configure-and-die", place.file.path, step])
    #expect(await worker.status() == SIGSYS)
    let ids = try await place.store.load().configuration.connectors.map(\.id)
    #expect(ids == (step == "unlock" ? ["before", "after"] : ["before"]))
    // The lock is free, and temporary files are removed.
    try await place.store.update { $0.connectors.append(Connector(id: "later")) }
    let left = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
    #expect(!left.contains { $0.hasSuffix(".part") })
  }

  @Test func `a program killed at any moment leaves a complete file`() async throws {
    let place = try Place()
    for round in 0..<Endurance.count(full: 30, short: 8) {
      let worker = try WorkerProcess(["configure-forever", place.file.path, "x"])
      #expect(await worker.line() == "ready")
      // A different moment in each round.
      try await Task.sleep(for: .microseconds(500 + 1_370 * round))
      worker.send(SIGKILL)
      await worker.status()
      let connector = try #require(try await place.store.load().configuration.connectors.first)
      let word = connector.model + " "
      #expect(connector.instructions == String(repeating: word, count: 2_000))
    }
  }

  @Test func `edits by two programs at once lose none, or report the conflict`() async throws {
    let place = try Place()
    let each = Endurance.count(full: 500, short: 50)
    let workers = try ["one", "two"].map { name in
      (name, try WorkerProcess(["configure", place.file.path, name, "\(each)"]))
    }
    for (_, worker) in workers { #expect(await worker.line() == "ready") }
    // The first edit starts the file with a comment, which must survive all others.
    try place.write("# kept\nversion = 1\n")
    for (_, worker) in workers { try worker.tell("go") }
    var edits = 0
    var conflicts = 0
    var models: [String: String] = [:]
    var variables: [String: String] = [:]
    var systems: [String: String] = [:]
    for (name, worker) in workers {
      while let line = await worker.line(), line != "done" {
        let words = line.split(separator: " ").map(String.init)
        try #require(words[0] == "conflict" || words.count > 2, "\(name): \(line)")
        edits += 1
        switch words[0] {
        case "connector": models[words[1]] = words[2]
        case "variable": variables[words[1]] = words[2]
        case "system": systems[name] = words.dropFirst().joined(separator: " ")
        case "conflict": conflicts += 1
        default: Issue.record("\(name): \(line)")
        }
      }
      #expect(await worker.status() == 0)
    }
    let configuration = try await place.store.load().configuration
    let found = Dictionary(
      uniqueKeysWithValues: configuration.connectors.map { ($0.id, $0.model) })
    #expect(found == models)
    #expect(try configuration.actions.action("translate").variables == variables)
    #expect(systems.values.contains(try configuration.actions.action("tone").system))
    #expect(place.text.hasPrefix("# kept\n"))
    #expect(edits > 2 * each * 9 / 10 && !models.isEmpty && !variables.isEmpty)
    // Only half of the edits start from a state that may be old.
    #expect(conflicts < edits * 2 / 3)
  }
}
