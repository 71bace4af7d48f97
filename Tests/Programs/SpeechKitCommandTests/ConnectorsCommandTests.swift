#if Cloud
import AIServiceTesting
import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

struct ConnectorsCommandTests {
  @Test func `a connector is added, listed, changed and removed`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let empty = try await home.run("connectors", "list")
    #expect(empty.errors.contains("speechkit setup"))
    let added = try await home.run(
      "connectors", "add", "work", "--base-url", home.baseURL, "--model", "small", "--key-from",
      "work", "--vendor", "Work", "--header", "X-Team=speech", "--price-in", "0.5", "--price-out",
      "2", "--temperature", "0.2", "--max-tokens", "300", "--timeout", "20s")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("Actions send their texts to 127.0.0.1."))
    let listed = try await home.run("connectors", "list")
    #expect(listed.lines.last?.hasPrefix("work  Work    openai  http://127.0.0.1") == true)
    let again = try await home.run("connectors", "add", "work", "--base-url", home.baseURL)
    #expect(again.status == 65)
    let changed = try await home.run(
      "connectors", "edit", "work", "--active", "off", "--unset", "price", "--unset", "headers")
    #expect(changed.status == 0, "\(changed.errors)")
    let json = try await home.run("connectors", "list", "--json")
    let row = try #require(
      JSONDecoder().decode([[String: SendableValue]].self, from: json.output).first)
    #expect(row["isActive"] == false)
    #expect(row["priceIn"] == nil)
    #expect(row["maxTokens"] == 300)
    #expect(row["timeoutMilliseconds"] == 20_000)
    #expect(try await home.run("connectors", "remove", "work").status == 0)
    #expect(try await home.run("connectors", "remove", "work").status == 69)
  }

  @Test(arguments: [
    ("http://192.0.2.1/v1", ["--key-from", "mine"], true), ("http://192.0.2.1/v1", [], false),
    ("https://192.0.2.1/v1", ["--key-from", "mine"], false),
    ("http://127.0.0.1:1/v1", ["--key-from", "mine"], false),
    ("http://[::1]:1/v1", ["--key-from", "mine"], false),
  ])
  func `a key that is sent without encryption is noted`(
    address: String, options: [String], isNoted: Bool
  ) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let note = "The key is sent to 192.0.2.1 without encryption"
    let add = ["connectors", "add", "there", "--base-url", address] + options
    let added = try await home.tool(add).run()
    #expect(added.status == 0 && added.errors.contains(note) == isNoted, "\(added.errors)")
    let changed = try await home.run("connectors", "edit", "there", "--model", "m")
    #expect(changed.errors.contains(note) == isNoted, "\(changed.errors)")
  }

  @Test func `a connector that actions name is removed only by force`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("one")
    try await home.addConnector("two")
    _ = try await home.run("actions", "edit", "translate", "-c", "one", "-c", "two")
    let refused = try await home.run("connectors", "remove", "one")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("named by translate"))
    #expect(try await home.run("connectors", "remove", "one", "--force").status == 0)
    let last = try await home.run("connectors", "remove", "two", "--force")
    #expect(last.status == 65)
    #expect(last.errors.contains("is the only connector of"))
  }

  @Test(arguments: [
    (["--kind", "azure", "--base-url", "https://x.openai.azure.com"], 64, "deployment"),
    (["--deployment", "gpt"], 65, "address"),
    (["--kind", "openai", "--deployment", "gpt"], 64, "--kind azure"),
    (["--base-url", "nonsense"], 65, "not a valid address"),
    (["--base-url", "https://me:secret@host/v1"], 65, "credential store"),
    (["--key-from", "sk-0123456789abcdef0123"], 65, "looks like a key"),
    (
      ["--model", "m", "--header", "Authorization=Bearer 12345678901234"], 65, "Keys do not belong"
    ),
    (["--temperature", "3"], 64, "0 to 2"),
    ([], 64, "Describe the connector"),
  ])
  func `an invalid connector is refused`(
    options: [String], status: Int32, message: String
  ) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let outcome = try await home.tool(["connectors", "add", "work"] + options).run()
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.file))
  }

  @Test func `a connector test reports the problem`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("good", "--model", "small")
    try await home.addConnector("slip", "--model", "smlal")
    try await home.addConnector("locked")
    _ = try await home.run(
      "connectors", "add", "gone", "--base-url", "http://127.0.0.1:9/v1", "--active", "off")
    home.server.enqueue(
      ActionWorkshop.answer(["Hello."]),
      .json(#"{"error":{"message":"no","code":"invalid_api_key"}}"#, status: 401),
      for: ActionWorkshop.chatPath)
    let good = try await home.run("connectors", "test", "good")
    #expect(good.status == 0, "\(good.text) \(good.errors)")
    #expect(good.text.hasPrefix("good  works  "))
    let slip = try await home.run("connectors", "test", "slip", "--json")
    #expect(slip.status == 69)
    #expect(slip.text.contains(#""verdict":"model""#))
    let locked = try await home.run("connectors", "test", "locked")
    #expect(locked.status == 69)
    #expect(locked.text.hasPrefix("locked  key  "), "\(locked.text)")
    let gone = try await home.run("connectors", "test", "gone", "--free")
    #expect(gone.text.hasPrefix("gone  refused  "), "\(gone.text)")
    let count = home.server.requests.count { $0.target.contains("chat") }
    #expect(try await home.run("connectors", "test", "good", "--free").status == 0)
    #expect(home.server.requests.count { $0.target.contains("chat") } == count)
  }

  @Test func `a connector is edited as text of the configuration file`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    let editor = home.workshop.folder.appending(path: "editor")
    try ShellScript.write("echo 'timeout = \"7s\"' >> \"$1\"", to: editor)
    let edited = try await home.run("connectors", "edit", "work", with: ["EDITOR": editor.path])
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(try home.fileText().contains("timeout = \"7s\""))
    try ShellScript.write("echo 'timeut = 1' >> \"$1\"", to: editor)
    let refused = try await home.run("connectors", "edit", "work", with: ["EDITOR": editor.path])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("Did you mean “timeout”?"), "\(refused.errors)")
  }

  @Test(
    .enabled(if: Peers.areExpected, "\(Peers.areMissing)"),
    arguments: [
      ("socketio_server.py", "{}"), ("socketio_server.py", #"{"matching":"ack"}"#),
      ("phoenix_server.py", "{}"),
    ])
  func `an LLM socket in either dialect, from adding it to an answer`(
    script: String, options: String
  ) async throws {
    try await Peer.with(script, [options]) { peer in
      let home = try ActionWorkshop()
      defer { home.clear() }
      let added = try await home.run(
        "connectors", "add", "sock", "--kind", "socket", "--base-url",
        "ws://127.0.0.1:\(peer.port)/socket", "--model", "tiny", "--instructions", "Be kind.")
      #expect(added.status == 0, "\(added.errors)")
      let free = try await home.run("connectors", "test", "sock", "--free")
      #expect(free.status == 0 && free.text.hasPrefix("sock  works  "), "\(free.text)")
      let tested = try await home.run("connectors", "test", "--json")
      #expect(tested.status == 0, "\(tested.text) \(tested.errors)")
      #expect(tested.text.contains("Answer with the word OK."), "\(tested.text)")
      let outcome = try await home.run("run", "explain", "eins", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.contains("System: Be kind."), "\(outcome.text)")
      #expect(outcome.lines.last?.contains(#""answers":["sock"]"#) == true)
      await peer.stop()
      let gone = try await home.run("connectors", "test", "sock", "--free")
      #expect(gone.status == 69 && gone.text.hasPrefix("sock  refused  "), "\(gone.text)")
    }
  }

  @Test func `a model server on this machine, from adding it to an answer, and without it`()
    async throws
  {
    let home = try ActionWorkshop()
    defer { home.clear() }
    home.server.reply(to: ActionWorkshop.chatPath) { request in
      ActionWorkshop.answer([request.text.contains("\"large\"") ? "Large." : "Small."])
    }
    let added = try await home.run(
      "connectors", "add", "here", "--kind", "on-device", "--base-url", home.baseURL, "--model",
      "large")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("this machine"), "\(added.errors)")
    let tested = try await home.run("connectors", "test", "here")
    #expect(tested.status == 0 && tested.text.hasPrefix("here  works  "), "\(tested.text)")
    _ = try await home.run("actions", "edit", "explain", "--privacy", "this-machine")
    let outcome = try await home.run("run", "explain", "x")
    #expect(outcome.text == "Large.\n", "\(outcome.errors)")
    home.server.stop()
    let gone = try await home.run("connectors", "test", "here", "--free")
    #expect(gone.status == 69 && gone.text.hasPrefix("here  refused  "), "\(gone.text)")
    // Without an address there are only the rules, and they say so.
    _ = try await home.run("connectors", "add", "rules", "--kind", "on-device")
    let rules = try await home.run("connectors", "test", "rules")
    #expect(rules.status == 0, "\(rules.text)")
  }

  @Test func `the latencies of connectors are kept for the next run`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Yes."]) }
    for _ in 0..<3 { _ = try await home.run("run", "explain", "x") }
    let file = home.workshop.path("state/speechkit/connectors.json")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"successes\":3"), "\(text)")
    #expect(!text.contains("127.0.0.1") && !text.contains("Yes."))
  }
}
#endif
