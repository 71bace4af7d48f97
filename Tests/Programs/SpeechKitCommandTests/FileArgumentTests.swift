import Foundation
import SpeechKit
import Testing

/// The checks of file names before a command begins.
struct FileArgumentTests {
  /// A folder with a recording, two kinds of link to it, and a text.
  private func workshop() async throws -> Workshop {
    let workshop = try Workshop()
    let files = FileManager.default
    try await files.copyItem(
      atPath: Sounds.shared.command(), toPath: workshop.path("talk.wav"))
    try files.createSymbolicLink(
      atPath: workshop.path("link.txt"), withDestinationPath: workshop.path("talk.wav"))
    try files.linkItem(atPath: workshop.path("talk.wav"), toPath: workshop.path("hard.txt"))
    try files.copyItem(atPath: workshop.path("talk.wav"), toPath: workshop.path("talk.txt"))
    _ = try workshop.write("hello", to: "text.mp3")
    _ = try workshop.write("#JSGF V1.0;\ngrammar g;\npublic <a> = on;", to: "g.gram")
    try files.createSymbolicLink(
      atPath: workshop.path("g.wav"), withDestinationPath: workshop.path("g.gram"))
    try files.createDirectory(
      at: workshop.folder.appending(path: "kept"), withIntermediateDirectories: true)
    return workshop
  }

  private func contents(of workshop: Workshop) throws -> [String: Data] {
    try workshop.names.filter { $0 != "kept" }.reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: workshop.folder.appending(path: $1))
    }
  }

  @Test(arguments: [
    ["transcribe", "-g", "g.gram", "talk.wav", "-o", "link.txt"],
    ["transcribe", "-g", "g.gram", "talk.wav", "-o", "hard.txt"],
    ["transcribe", "-g", "g.gram", "talk.wav", "-o", "g.gram"],
    ["transcribe", "-g", "g.gram", "talk.txt", "-o", "talk.txt"],
    ["transcribe", "-g", "g.gram", "talk.txt", "-o", "."],
    ["transcribe", "-g", "g.gram", "talk.txt", "hard.txt", "-o", "."],
    ["say", "--file", "text.mp3", "-o", "text.mp3"],
    ["say", "--file", "text.mp3", "-o", "./kept/../text.mp3"],
    ["demo", "-g", "g.gram", "-o", "g.wav"],
    ["loop", "-i", "talk.wav", "-o", "talk.wav"],
    ["loop", "-i", "talk.wav", "--metrics", "otel:talk.txt", "-g", "talk.txt"],
    ["replay", "kept", "--record", "./kept/"],
    ["grammar", "confusions", "g.gram", "--html", "g.gram"],
    ["lab", "text.mp3", "--save", "link.txt", "--baseline", "hard.txt"],
    ["test", "g.gram", "--junit", "g.gram"],
  ])
  func `an input is not overwritten`(arguments: [String]) async throws {
    let workshop = try await workshop()
    defer { workshop.clear() }
    let before = try contents(of: workshop)
    var tool = Tool(arguments)
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("Choose another file"), "\(outcome.errors)")
    #expect(try contents(of: workshop) == before)
  }

  @Test func `the file that is standard input is not overwritten`() async throws {
    let workshop = try await workshop()
    defer { workshop.clear() }
    let path = workshop.path("text.mp3")
    let running = try Tool("say", "-", "-o", path)
      .start(input: try FileHandle(forReadingFrom: URL(filePath: path)))
    let outcome = await running.outcome()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("standard input"), "\(outcome.errors)")
    #expect(try workshop.text(of: "text.mp3") == "hello")
  }

  @Test func `the output folder can contain the input`() async throws {
    let workshop = try await workshop()
    defer { workshop.clear() }
    var tool = Tool(
      "transcribe", "-g", try await Sounds.shared.grammar(), "talk.wav", "-o", ".", "-f", "json")
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try workshop.text(of: "talk.json").contains(Sounds.command))
  }

  @Test(arguments: [
    (["transcribe", "a.wav", "-o", "b.wav"], "is a name for audio"),
    (["transcribe", "a.wav", "--json", "-o", "b.mp3"], "is a name for audio"),
    (["grammar", "confusions", "a.gram", "--html", "b.flac"], "is a name for audio"),
    (["say", "a", "-o", "b.txt"], "has to be wav, flac, ogg, opus or mp3"),
    (["demo", "-o", "b.xyz"], "has to be wav, flac, ogg, opus or mp3"),
    (["demo", "--live", "-o", "b"], "has to be wav, flac, ogg, opus or mp3"),
    (["loop", "-i", "a.wav", "-o", "b.pdf"], "has to be wav, flac, ogg, opus or mp3"),
    (["replay", "talk", "-o", "-"], "has to be wav, flac, ogg, opus or mp3"),
    (["transcribe", ""], "FILE is empty"),
    (["grammar", "check", ""], "FILE is empty"),
    (["transcribe", "a.wav", ""], "FILE is empty"),
  ])
  func `an unsuitable file name is refused before any work`(
    arguments: [String], message: String
  ) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `a name that is not UTF-8 is refused, and no other file is touched`() async throws {
    let workshop = try await workshop()
    defer { workshop.clear() }
    let copying = "cp talk.wav \"$(printf 'caf\\351.wav')\""
    for arguments in [
      ["transcribe", "-g", "g.gram"], ["transcribe", "talk.wav", "-g"], ["say", "hello", "-o"],
      ["say", "--file"],
    ] {
      var tool = Tool(arguments)
        .throughShell("\(copying) && exec \"$@\" \"$(printf 'caf\\351.wav')\"")
      tool.folder = workshop.folder
      let outcome = try await tool.run()
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("is not UTF-8"), "\(outcome.errors)")
      #expect(outcome.errors.contains("Rename the file"))
    }
    var listing = Tool([])
    listing.launcher = ["/bin/sh", "-c", "ls | wc -l"]
    listing.folder = workshop.folder
    // The files that were there, and the one with that name.
    #expect(try await listing.run().text.trimmingCharacters(in: .whitespacesAndNewlines) == "9")
  }

  @Test func `files in a folder whose name is not UTF-8 are refused`() async throws {
    let workshop = try await workshop()
    defer { workshop.clear() }
    for arguments in [["transcribe", "../talk.wav"], ["say", "hello", "-o", "x.wav"]] {
      var tool = Tool(arguments).throughShell(
        "mkdir -p \"$(printf 'caf\\351')\" && cd \"$(printf 'caf\\351')\" && exec \"$@\"")
      tool.folder = workshop.folder
      let outcome = try await tool.run()
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("Rename the folder"), "\(outcome.errors)")
    }
  }

  @Test(
    .enabled(if: Tool.isOpenToNobody, "needs folders that not only the superuser may go into"),
    arguments: [0o555, 0o1777])
  func `a file is overwritten if its folder permits no new files`(mode: mode_t) async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let folder = workshop.folder.appending(path: "fixed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "out.wav")
    try Data(repeating: 7, count: 1 << 20).write(to: file)
    chmod(file.path, 0o666)
    chmod(folder.path, mode)
    defer { chmod(folder.path, 0o755) }
    let temporary = workshop.folder.appending(path: "temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    chmod(temporary.path, 0o1777)
    var tool = Tool("say", "hello", "-v", "flite:slt", "-o", file.path).asNobody()
    tool.environment["TMPDIR"] = temporary.path
    let outcome = try await tool.run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let sound = try AudioFile.read(file)
    #expect(sound.level > -40)
    #expect(try Data(contentsOf: file).count < 1 << 20)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.wav"])
    guard mode == 0o555 else { return }
    let other = try await Tool("say", "hello", "-v", "flite:slt", "-o", folder.path + "/new.wav")
      .asNobody().run()
    #expect(other.status == 73)
    #expect(other.errors.contains("Permission denied"), "\(other.errors)")
  }
}
