import Foundation
import SpeechKit
import Testing

/// Voices with a sound server that hangs, or a service without a key: neither is contacted without
/// need.
struct VoiceWithoutServerTests {
  @Test func `a sound server that hangs is not contacted unless audio is played`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let server = try HungServer(workshop.path("pulse"))
    let home = workshop.path("home")
    for arguments in [["voices", "--json"], ["say", "hi", "-o", workshop.path("hi.wav")]] {
      var tool = Tool(arguments)
      tool.environment = [
        "PULSE_SERVER": "unix:\(server.path)", "HOME": home, "XDG_CONFIG_HOME": "",
        "XDG_CACHE_HOME": workshop.path("cache"),
      ]
      let outcome = try await tool.run()
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }
    #expect(!server.hasCaller)
    // eSpeak keeps its repaired data in the cache.
    #if Espeak
    #expect(workshop.names == ["cache", "hi.wav", "pulse"])
    #else
    #expect(workshop.names == ["hi.wav", "pulse"])
    #endif
    #expect(try AudioFile.read(URL(filePath: workshop.path("hi.wav"))).level > -40)
  }

  @Test func `doctor waits once for a sound server that hangs, and reports it for each device`()
    async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let server = try HungServer(workshop.path("pulse"))
    var tool = Tool("doctor", "--json")
    tool.environment = ["PULSE_SERVER": "unix:\(server.path)"]
    let outcome = try await tool.run()
    let findings = try outcome.lines.map {
      try JSONDecoder().decode(DiagnosticFinding.self, from: Data($0.utf8))
    }
    for part in ["devices.input", "devices.output"] {
      let finding = try #require(findings.first { $0.part == part })
      #expect(finding.status == .warning)
      #expect(finding.detail == "the sound system does not answer", "\(finding)")
      #expect(finding.remedy != nil)
    }
    #expect(server.hasCaller)
  }

  #if Espeak
  @Test func `a failure to prepare the voices is reported, with or without a voice name`()
    async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write("", to: "file")
    for voice in [[], ["-v", "uk"], ["-v", "espeak:uk"]] {
      var tool = Tool(["say", "Привіт", "-o", workshop.path("hi.wav")] + voice)
      tool.environment = ["XDG_CACHE_HOME": file, "TMPDIR": file]
      let outcome = try await tool.run()
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("could not be prepared"), "\(outcome.errors)")
    }
    var tool = Tool("say", "hello", "-v", "slt", "-o", workshop.path("hi.wav"))
    tool.environment = ["XDG_CACHE_HOME": file, "TMPDIR": file]
    let other = try await tool.run()
    #expect(other.status == 0, "\(other.errors)")
  }
  #endif

  #if Cloud
  @Test(
    arguments: [("say", "openai"), ("say", "elevenlabs"), ("voices", "elevenlabs")])
  func `a missing key is not reported as refused`(
    _ command: String, _ service: String
  ) async throws {
    let workshop = try ActionWorkshop()
    defer { workshop.clear() }
    var arguments = [command, "-p", service]
    if command == "say" { arguments += ["hi", "-o", workshop.workshop.path("hi.wav")] }
    for offline in ["", "1"] {
      let outcome = try await workshop.tool(arguments, ["SPEECHKIT_OFFLINE": offline]).run()
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("no credential for \(service)"), "\(outcome.errors)")
      #expect(outcome.errors.contains("speechkit credentials set"), "\(outcome.errors)")
    }
    let key = "\(service.uppercased())_API_KEY"
    let value = "test-" + String(repeating: "0", count: 32)
    let outcome = try await workshop.tool(arguments, ["SPEECHKIT_OFFLINE": "1", key: value]).run()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("switched off (offline)"), "\(outcome.errors)")
  }

  @Test func `the voices of OpenAI are listed without a key`() async throws {
    let workshop = try ActionWorkshop()
    defer { workshop.clear() }
    let outcome = try await workshop.run("voices", "-p", "openai")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("openai:alloy"))
  }
  #endif
}

/// A server that accepts every connection and never answers.
private final class HungServer: Sendable {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(descriptor, 16) == 0)
  }

  deinit {
    close(descriptor)
  }

  /// True if a client connected, even if it has disconnected since.
  var hasCaller: Bool {
    let caller = accept(descriptor, nil, nil)
    if caller >= 0 { close(caller) }
    return caller >= 0
  }
}
