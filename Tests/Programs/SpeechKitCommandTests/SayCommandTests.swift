import Foundation
import SpeechKit
import Testing

struct SayCommandTests {
  @Test(arguments: ["wav", "flac", "ogg", "opus", "mp3"])
  func `a file is written in the format of its extension`(name: String) async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = workshop.path("hello.\(name)")
    let outcome = try await Tool("say", "hello world", "-o", path).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
    let reader = try AudioFileReader(URL(filePath: path))
    let container = reader.info.container
    #expect(container.rawValue == name)
    let sound = try AudioFile.read(URL(filePath: path))
    #expect(sound.level > -40)
    #expect((0.4...3).contains(Double(sound.frameCount) / Double(sound.format.sampleRate)))
    #expect(workshop.names == ["hello.\(name)"])
  }

  @Test func `text comes from the command line, a file or standard input`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let text = try workshop.write("go forward ten meters\n", to: "text.txt")
    var sounds: [Data] = []
    for arguments in [["go forward ten meters"], ["--file", text], ["-"], ["--file=-"]] {
      var tool = Tool(["say", "-o", "-"] + arguments)
      tool.input = Data("go forward ten meters\n".utf8)
      let outcome = try await tool.run()
      #expect(outcome.status == 0, "\(outcome.errors)")
      sounds.append(outcome.output)
    }
    #expect(try AudioFile.read(sounds[0]).level > -40)
    for other in sounds { #expect(abs(other.count - sounds[0].count) < 8_000) }
  }

  @Test func `rate, pitch, volume and voice change the audio`() async throws {
    func sound(_ arguments: String...) async throws -> PCMBuffer {
      let outcome = try await Tool(["say", "hello world", "-o", "-"] + arguments).run()
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try AudioFile.read(outcome.output)
    }
    let plain = try await sound()
    #expect(try await sound("--rate", "1").frameCount < plain.frameCount)
    #expect(try await sound("--rate=0").frameCount > plain.frameCount)
    #expect(try await sound("--volume", "0.3").level < plain.level - 3)
    #expect(try await sound("--pitch", "2") != plain)
    let flite = try await sound("-v", "flite:slt")
    #expect(flite.format.sampleRate == 16_000)
    #expect(try await sound("-v", "slt") == flite)
    #expect(try await sound("-p", "flite", "-v", "slt") == flite)
    #if Espeak
    #expect(try await sound("-v", "de+f3") != plain)
    #endif
  }

  #if Espeak
  @Test func `a text is spoken in its own language or in a given one`() async throws {
    func sound(_ text: String, _ arguments: String...) async throws -> PCMBuffer {
      let outcome = try await Tool(["say", text, "-o", "-"] + arguments).run()
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try AudioFile.read(outcome.output)
    }
    for (text, voice) in [
      ("Wo ist der Bahnhof?", "de"), ("Где станция?", "ru"), ("Добар дан, како сте?", "sr"),
    ] {
      let detected = try await sound(text, "--language", "auto")
      #expect(try await sound(text, "--voice", voice) == detected)
      #expect(try await sound(text, "-l", voice) == detected)
      #expect(try await sound(text, "--voice", "espeak:auto") == detected)
      #expect(detected.level > -40)
    }
    // Unclear, so the default voice.
    let plain = try await sound("Taxi")
    #expect(try await sound("Taxi", "--language", "auto") == plain)
    let both = try await Tool("say", "Hallo", "--language", "auto", "--voice", "de").run()
    #expect(both.status == 64)
    #expect(both.errors.contains("either --voice or --language"))
  }
  #endif

  #if Espeak
  @Test func `SSML has effect`() async throws {
    let text = "<speak>hello <break time=\"2s\"/> world</speak>"
    let outcome = try await Tool("say", "--ssml", text, "-o", "-").run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try AudioFile.read(outcome.output).duration > .seconds(2))
  }

  private static let espeakFailures: [([String], Int32, String)] = [
    (["say", "a", "-v", "espaek:en"], 64, "Did you mean “espeak”?"),
    (["say", "a", "-p", "flite", "-v", "espeak:en"], 64, "--voice asks for espeak"),
    (
      ["say", "a", "--ssml", "-v", "flite:slt", "-o", "-"], 64,
      "Flite does not support SSML. Choose espeak."
    ),
    (["say", "--ssml", "<speak>a", "-o", "-"], 65, "is not closed"),
    (["say", "a", "-v", "espeak:enn-us", "-o", "-"], 69, "Did you mean"),
  ]
  #else
  private static let espeakFailures: [([String], Int32, String)] = [
    (["say", "a", "-v", "espeak:en"], 64, "“espeak” is not available"),
    (["say", "--ssml", "<speak>a</speak>", "-o", "-"], 64, "Flite does not support SSML"),
  ]
  #endif

  @Test(
    arguments: [
      (["say"], 64, "There is nothing to say"),
      (["say", "hello", "world"], 64, "“world” is one argument too many"),
      (["say", "a", "--file", "b"], 64, "either TEXT or --file"),
      (["say", "a", "--rate", "7"], 64, "--rate takes a number from 0 to 1"),
      (["say", "a", "-o", "a.txt"], 64, "has to be wav, flac, ogg, opus or mp3"),
      (["say", "a", "-o", "a.wav", "-d", "x"], 64, "either --output or --device"),
      (["say", "", "-o", "-"], 65, "nothing to speak"),
      (["say", " \n", "-o", "-"], 65, "nothing to speak"),
      (["say", "--file", "/nonexistent", "-o", "-"], 66, "There is no file"),
      (["say", "--file", "/tmp", "-o", "-"], 66, "is a folder"),
      (["say", "a", "-v", "klingonese", "-o", "-"], 69, "There is no voice “klingonese”"),
      (["say", "a"], 69, "No loudspeaker was found"),
      (["say", "a", "-o", "/nonexistent/a.wav"], 73, "there is no folder"),
      (["say", "a", "-o", "/dev/full"], 73, "No space left"),
    ] + espeakFailures)
  func `each failure has its exit code and a suggestion`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("speechkit: "))
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    // No log output of the libraries.
    #expect(outcome.errors.split(separator: "\n").count <= 2, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `input that is not text is refused`() async throws {
    var tool = Tool("say", "-", "-o", "-")
    tool.input = Data([0x66, 0xFF, 0xFE, 0x00])
    let outcome = try await tool.run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("UTF-8"))
  }

  #if Espeak
  @Test func `an existing file stays unchanged if writing fails`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = try workshop.write("precious", to: "old.wav")
    let outcome = try await Tool("say", "--ssml", "<speak>a", "-o", path).run()
    #expect(outcome.status == 65)
    #expect(try workshop.text(of: "old.wav") == "precious")
    #expect(workshop.names == ["old.wav"])
  }
  #endif
}
