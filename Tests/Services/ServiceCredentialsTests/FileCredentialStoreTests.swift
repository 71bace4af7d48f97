import Foundation
import TestSupport
import Testing

@testable import ServiceCredentials

struct FileCredentialStoreTests {
  private static let file = "store/credentials.json"

  /// The steps of a change, each as the first that the writer does not reach.
  enum Step: String, CaseIterable {
    case closeFolder, makeFile, closeFile, write, sync, rename, unlock

    var leavesPart: Bool { [.closeFile, .write, .sync, .rename].contains(self) }
  }

  private func key(_ providerID: String) throws -> CredentialID {
    try CredentialID(providerID: providerID, type: .apiKey)
  }

  private func store(_ workshop: PrivateWorkshop) -> FileCredentialStore {
    FileCredentialStore(folder: workshop.folder.appending(path: "store"))
  }

  private func put(
    _ value: String, for providerID: String, into store: FileCredentialStore
  ) async throws {
    let credential = AICredential(
      providerID: providerID, type: .apiKey, name: "Name", description: "Text",
      expiresAt: Date(timeIntervalSince1970: 2_000_000_000.5), metadata: ["a": "b"])
    try await store.change(key(providerID)) { _ in
      CredentialEntry(credential: credential, value: SecureString(value))
    }
  }

  /// The error with which the store refuses every operation.
  private func refusal(of store: FileCredentialStore) async throws -> AICredentialError {
    let reading = try await #require(throws: AICredentialError.self) {
      _ = try await store.entry(for: key("openai"))
    }
    let listing = try await #require(throws: AICredentialError.self) { _ = try await store.list() }
    let writing = try await #require(throws: AICredentialError.self) {
      try await put("sk-canary-new", for: "openai", into: store)
    }
    #expect(reading == listing)
    #expect(reading == writing)
    #expect(!reading.localizedDescription.contains("canary"))
    return reading
  }

  // MARK: - Keeping

  @Test func `a stored secret is found again, also by another store`() async throws {
    let workshop = try PrivateWorkshop()
    #expect(try await store(workshop).entry(for: key("openai")) == nil)
    #expect(try await store(workshop).list().isEmpty)
    try await put("sk-1 \"\\/ä😀", for: "openai", into: store(workshop))
    try await put("sk-2", for: "anthropic", into: store(workshop))
    let entry = try #require(await store(workshop).entry(for: key("openai")))
    #expect(entry.value.value == "sk-1 \"\\/ä😀")
    #expect(entry.credential.name == "Name")
    #expect(entry.credential.description == "Text")
    #expect(entry.credential.metadata == ["a": "b"])
    #expect(entry.credential.expiresAt == Date(timeIntervalSince1970: 2_000_000_000.5))
    #expect(try await store(workshop).list().map(\.providerID) == ["openai", "anthropic"])
    try await store(workshop).change(key("openai")) { _ in nil }
    #expect(try await store(workshop).list().map(\.providerID) == ["anthropic"])
  }

  @Test func `removing a missing secret creates no folder`() async throws {
    let workshop = try PrivateWorkshop()
    try await store(workshop).change(key("openai")) { entry in
      #expect(entry == nil)
      return nil
    }
    #expect(workshop.names(in: ".").isEmpty)
  }

  @Test func `an error of the change leaves everything unchanged`() async throws {
    struct BodyError: Error {}
    let workshop = try PrivateWorkshop()
    try await put("sk-1", for: "openai", into: store(workshop))
    let before = try workshop.text(of: Self.file)
    await #expect(throws: BodyError.self) {
      try await store(workshop).change(key("openai")) { _ in throw BodyError() }
    }
    #expect(try workshop.text(of: Self.file) == before)
  }

  @Test func `the file has the documented form`() async throws {
    let workshop = try PrivateWorkshop()
    try FileManager.default.createDirectory(
      atPath: workshop.path("store"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try workshop.write(
      """
      { "format": "speechkit-credentials", "version": 1, "credentials": [ {
        "credential": {
          "id": "75AB5F22-CE29-4754-A780-93494BA1572F", "providerID": "openai", "type": "api_key",
          "name": "Production Key", "createdAt": "2026-01-31T12:00:00.250Z",
          "updatedAt": "2026-01-31T12:00:00Z", "metadata": {}
        },
        "secret": "sk-1"
      } ] }
      """, to: Self.file)
    let entry = try #require(await store(workshop).entry(for: key("openai")))
    #expect(entry.value.value == "sk-1")
    #expect(entry.credential.createdAt.timeIntervalSince1970 == 1_769_860_800.25)
    #expect(entry.credential.updatedAt.timeIntervalSince1970 == 1_769_860_800)
    try await put("sk-2", for: "groq", into: store(workshop))
    let text = try workshop.text(of: Self.file)
    #expect(text.contains("\"format\" : \"speechkit-credentials\""))
    #expect(text.contains("\"version\" : 1"))
    #expect(text.contains("\"createdAt\" : \"2026-01-31T12:00:00.250Z\""))
  }

  @Test func `the default file is in the user's data folder`() async throws {
    let workshop = try PrivateWorkshop()
    let store = FileCredentialStore(environment: [
      "XDG_DATA_HOME": workshop.path("deep/data"), "HOME": "/nonexistent",
    ])
    try await put("sk-1", for: "openai", into: store)
    #expect(
      workshop.names(in: "deep/data/speechkit/credentials")
        == ["credentials.json", "credentials.lock"])
    for folder in ["deep", "deep/data", "deep/data/speechkit", "deep/data/speechkit/credentials"] {
      #expect(workshop.mode(of: folder) == 0o700)
    }
  }

  // MARK: - Privacy

  @Test(arguments: ["000", "022", "277", "777"])
  func `files and folders are private from their creation`(
    umask: String
  ) async throws {
    for step in Step.allCases {
      let workshop = try PrivateWorkshop()
      let worker = try WorkerProcess(
        ["die", workshop.path("new/store"), "openai", "0", umask, step.rawValue])
      #expect(await worker.status() == SIGSYS)
      let all = FileManager.default.enumerator(atPath: workshop.folder.path)?.allObjects ?? []
      #expect(all.count == (step == .closeFolder ? 1 : step == .makeFile ? 3 : 4))
      for case let name as String in all {
        let mode = try #require(workshop.mode(of: name))
        #expect(mode & 0o077 == 0, "\(name) before \(step)")
      }
      if step == .unlock { #expect(workshop.mode(of: "new/\(Self.file)") == 0o600) }
    }
  }

  @Test(arguments: [0o750, 0o705, 0o701, 0o777] as [mode_t])
  func `a folder that others can access is refused`(mode: mode_t) async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    chmod(workshop.path("store"), mode)
    let error = try await refusal(of: store(workshop))
    #expect(error.localizedDescription.contains("chmod 700 \(workshop.path("store"))"))
    guard case .insecureFile = error else {
      Issue.record("\(error)")
      return
    }
    chmod(workshop.path("store"), 0o700)
    #expect(try await store(workshop).entry(for: key("openai"))?.value.value == "sk-canary")
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o601, 0o666] as [mode_t])
  func `a file that others can access is refused`(mode: mode_t) async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    chmod(workshop.path(Self.file), mode)
    let error = try await refusal(of: store(workshop))
    #expect(error.localizedDescription.contains("chmod 600 \(workshop.path(Self.file))"))
    #expect(workshop.mode(of: Self.file) == mode)
  }

  @Test func `the suggested command is correct for any name`() async throws {
    let workshop = try PrivateWorkshop()
    let folder = workshop.folder.appending(path: "it's a folder")
    let store = FileCredentialStore(folder: folder)
    try await put("sk-1", for: "openai", into: store)
    chmod(folder.path, 0o755)
    let error = try await refusal(of: store)
    let command = try #require(error.localizedDescription.components(separatedBy: "it: ").last)
    let shell = try WorkerProcess(["-c", command], of: "/bin/sh")
    #expect(await shell.status() == 0)
    #expect(try await store.entry(for: key("openai"))?.value.value == "sk-1")
  }

  @Test func `symbolic links are refused`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    let real = workshop.path("real.json")
    rename(workshop.path(Self.file), real)
    symlink(real, workshop.path(Self.file))
    #expect(try await refusal(of: store(workshop)).localizedDescription.contains("symbolic link"))
    #expect(try workshop.text(of: "real.json").contains("sk-canary"))

    unlink(workshop.path(Self.file))
    rename(workshop.path("store"), workshop.path("elsewhere"))
    symlink(workshop.path("elsewhere"), workshop.path("store"))
    #expect(try await refusal(of: store(workshop)).localizedDescription.contains("symbolic link"))
    #expect(workshop.names(in: "elsewhere") == ["credentials.lock"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `files of another user are refused`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    for name in [Self.file, "store"] {
      chown(workshop.path(name), 12_345, 12_345)
      let error = try await refusal(of: store(workshop))
      #expect(error.localizedDescription.contains("chown 0 \(workshop.path(name))"))
      chown(workshop.path(name), 0, 0)
    }
  }

  @Test func `something other than a file does not block`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-1", for: "openai", into: store(workshop))
    unlink(workshop.path(Self.file))
    mkfifo(workshop.path(Self.file), 0o600)
    #expect(try await refusal(of: store(workshop)).localizedDescription.contains("not a file"))
  }

  // MARK: - Damage

  @Test(arguments: [
    "", " ", "{", "[]", "null", "{}", "canary", "\u{FEFF}{}",
    "{\"format\":\"something\",\"version\":1,\"credentials\":[]}",
    "{\"format\":\"speechkit-credentials\",\"version\":1}",
    "{\"format\":\"speechkit-credentials\",\"version\":1,\"credentials\":[{\"secret\":\"canary\"}]}",
    "{\"format\":\"speechkit-credentials\",\"version\":\"canary\",\"credentials\":[]}",
    "{\"format\":\"speechkit-credentials\",\"version\":2,\"credentials\":[\"canary\"]}",
    String(repeating: "[", count: 100_000),
  ])
  func `a damaged file is an error and is left unchanged`(text: String) async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-1", for: "openai", into: store(workshop))
    try workshop.write(text, to: Self.file)
    let error = try await refusal(of: store(workshop))
    guard case .corruptFile(let message) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(message.contains(workshop.path(Self.file)))
    #expect(FileManager.default.contents(atPath: workshop.path(Self.file)) == Data(text.utf8))
  }

  @Test func `a file truncated anywhere is damaged`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    let whole = Data(try workshop.text(of: Self.file).utf8)
    // The line break after the last brace is optional.
    for count in stride(from: 0, to: whole.count - 1, by: 7) {
      try whole.prefix(count).write(to: workshop.folder.appending(path: Self.file))
      chmod(workshop.path(Self.file), 0o600)
      let error = await #expect(throws: AICredentialError.self) {
        _ = try await store(workshop).entry(for: key("openai"))
      }
      #expect(error?.localizedDescription.contains("canary") == false)
    }
  }

  @Test func `a file with random changes is read or refused`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    let whole = [UInt8](try workshop.text(of: Self.file).utf8)
    // A simple sequence that is the same in every run.
    var state: UInt64 = 0x5EED
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let pieces = [
      "{", "}", "\"", "[", "]", ",", ":", "\\u0000", "\u{0}", "1e999", "null", "secret",
    ]
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0...next(4) {
        let place = next(bytes.count)
        switch next(4) {
        case 0: bytes[place] = UInt8(next(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: pieces[next(pieces.count)].utf8, at: place)
        default: bytes.append(contentsOf: bytes[place...])
        }
      }
      do {
        let entries = try bytes.withUnsafeBytes {
          try CredentialDocument.entries(in: $0, path: "file")
        }
        #expect(entries.count <= 1)
      } catch let error as AICredentialError {
        guard case .corruptFile(let text) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(!text.contains("canary"))
      }
    }
  }

  @Test func `a file beyond the size limit is not read`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-1", for: "openai", into: store(workshop))
    truncate(workshop.path(Self.file), 1 << 40)
    #expect(try await refusal(of: store(workshop)).localizedDescription.contains("larger"))
  }

  @Test func `a full disk leaves the old file and no other`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-canary", for: "openai", into: store(workshop))
    let before = try workshop.text(of: Self.file)
    let worker = try WorkerProcess(
      ["write", workshop.path("store"), "groq", "1", "022", "1000"])
    let line = try #require(await worker.line())
    #expect(line.hasPrefix("error “"))
    #expect(line.contains("cannot be written: File too large"))
    #expect(await worker.status() == 1)
    #expect(try workshop.text(of: Self.file) == before)
    #expect(workshop.names(in: "store") == ["credentials.json", "credentials.lock"])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a read-only folder is an error`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-1", for: "openai", into: store(workshop))
    chmod(workshop.path("store"), 0o500)
    await #expect(throws: AICredentialError.self) {
      try await put("sk-2", for: "openai", into: store(workshop))
    }
    #expect(try await store(workshop).entry(for: key("openai"))?.value.value == "sk-1")
  }

  @Test func `a path that cannot be a folder is an error`() async throws {
    let store = FileCredentialStore(environment: ["XDG_DATA_HOME": "/dev/null/data"])
    let error = try await #require(throws: AICredentialError.self) {
      try await put("sk-canary", for: "openai", into: store)
    }
    #expect(error.localizedDescription.contains("/dev/null/data"))
    #expect(error.localizedDescription.contains("XDG_DATA_HOME"))
  }

  // MARK: - Other processes

  @Test func `concurrent writers lose no change`() async throws {
    let workshop = try PrivateWorkshop()
    let workers = try ["a#", "b#"].map { name in
      try WorkerProcess(["write", workshop.path("store"), name, "40", "022"])
    }
    let store = store(workshop)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...40 {
        group.addTask { try await put("sk-\(number)", for: "c\(number)", into: store) }
      }
      try await group.waitForAll()
    }
    for worker in workers { #expect(await worker.status() == 0) }
    let expected = Set(["a", "b", "c"].flatMap { name in (1...40).map { "\(name)\($0)" } })
    #expect(try await Set(store.list().map(\.providerID)) == expected)
    #expect(workshop.names(in: "store") == ["credentials.json", "credentials.lock"])
  }

  @Test(arguments: Step.allCases.dropFirst())
  func `a killed writer leaves the old or the new file`(before step: Step) async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-kept", for: "kept", into: store(workshop))
    let worker = try WorkerProcess(
      ["die", workshop.path("store"), "openai", "1", "000", step.rawValue])
    #expect(await worker.status() == SIGSYS)
    let names = workshop.names(in: "store")
    #expect(names.count { $0.hasSuffix(".part") } == (step.leavesPart ? 1 : 0))
    for name in names { #expect(workshop.mode(of: "store/\(name)") == 0o600) }
    let value = try #require(await store(workshop).entry(for: key("openai"))).value.value
    #expect(value == String(repeating: step == .unlock ? "even" : "odd-", count: 1_000))
    #expect(try await store(workshop).entry(for: key("kept"))?.value.value == "sk-kept")
    // Its lock was released when it was killed, and its temporary files are removed.
    try await put("sk-1", for: "openai", into: store(workshop))
    #expect(workshop.names(in: "store") == ["credentials.json", "credentials.lock"])
  }

  @Test func `waiting for a hanging writer times out, and readers continue`() async throws {
    let workshop = try PrivateWorkshop()
    try await put("sk-1", for: "openai", into: store(workshop))
    let other = open(workshop.path("store/credentials.lock"), O_RDWR | O_CLOEXEC)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let hasty = FileCredentialStore(
      folder: workshop.folder.appending(path: "store"), timeout: .milliseconds(100))
    let error = try await #require(throws: AICredentialError.self) {
      try await put("sk-2", for: "openai", into: hasty)
    }
    #expect(error.localizedDescription.contains("Another program"))
    #expect(try await hasty.entry(for: key("openai"))?.value.value == "sk-1")

    let patient = store(workshop)
    let writing = Task { try await put("sk-3", for: "openai", into: patient) }
    writing.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    flock(other, LOCK_UN)
    try await put("sk-4", for: "openai", into: patient)
    #expect(try await patient.entry(for: key("openai"))?.value.value == "sk-4")
  }
}
