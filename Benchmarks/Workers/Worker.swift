import AIServices
import Foundation
import LLMSocket
import SpeechConcurrency
import SpeechKit
import SpeechLanguageModels

/// The work that is measured in a process of its own: this executable with one of these first
/// arguments.
enum Worker {
  static let transcribe = "worker-transcribe"
  static let decode = "worker-decode"
  static let synthesize = "worker-synthesize"
  static let rest = "worker-rest"
  static let stream = "worker-stream"
  static let call = "worker-call"
  static let socket = "worker-socket"
  static let command = "worker-command"
  static let model = "worker-model"

  /// Does the work and returns the status; `nil` if the arguments are not those of a worker.
  static func run(_ arguments: [String]) async throws -> Int32? {
    guard let work = arguments.first else { return nil }
    switch (work, arguments.count) {
    case (transcribe, 3): try await transcribe(arguments[1], files: files(in: arguments[2]))
    case (transcribe, 4):
      try await transcribe(
        arguments[1], files: files(in: arguments[2]), jobs: Int(arguments[3]) ?? 1)
    case (decode, 3): try decode(arguments[1], files: files(in: arguments[2]))
    #if Espeak
    case (synthesize, 3): try await synthesize(textFile: arguments[1], to: arguments[2])
    #endif
    case (stream, 2): try await stream(from: arguments[1])
    case (call, 3): try await call(arguments[1], times: Int(arguments[2]) ?? 1)
    case (socket, 3): try await socket(port: arguments[1], times: Int(arguments[2]) ?? 1)
    case (command, 4):
      try command(arguments[1], dictionary: arguments[2], files: files(in: arguments[3]))
    case (WhisperWorker.transcribe, 2):
      try await WhisperWorker.transcribe(files(in: arguments[1]))
    case (WhisperWorker.cascade, 3):
      try await WhisperWorker.cascade(
        URL(fileURLWithPath: arguments[1]), files(in: arguments[2]))
    case (WhisperWorker.listen, 2):
      try await WhisperWorker.listen(files(in: arguments[1]))
    case (WeighingWorker.say, 2): try await WeighingWorker.say(listed: arguments[1])
    case (WeighingWorker.weigh, 2): try WeighingWorker.weigh(listed: arguments[1])
    case (model, 3): try makeModel(of: arguments[1], to: arguments[2])
    case (rest, 1): try await Task.sleep(for: .milliseconds(100))
    default: return nil
    }
    return 0
  }

  /// Transcribes files, as an app would.
  private static func transcribe(_ setting: String, files: [URL]) async throws {
    let transcriber = SpeechTranscriber<PocketSphinxDecoder>(
      configuration: configuration(setting))
    for file in files {
      let transcript = try await transcriber.transcribe(file)
      report(file, transcript.segments.map(\.text).joined(separator: " "))
    }
  }

  /// Transcribes files side by side, with a decoder for each job.
  private static func transcribe(_ setting: String, files: [URL], jobs: Int) async throws {
    let rest = Guarded(files[...])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<jobs {
        group.addTask {
          let transcriber = SpeechTranscriber<PocketSphinxDecoder>(
            configuration: configuration(setting))
          while let file = rest.withLock({ $0.popFirst() }) {
            let transcript = try await transcriber.transcribe(file)
            report(file, transcript.segments.map(\.text).joined(separator: " "))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Decodes each file as a whole, without detecting utterances, as the C library's own program
  /// does.
  private static func decode(_ setting: String, files: [URL]) throws {
    let decoder = try PocketSphinxDecoder(
      configuration: configuration(setting), locale: Locale(identifier: "en-US"))
    for file in files {
      let utterance = try decoder.decode(try AudioFile.read(file, as: decoder.format))
      report(file, utterance?.text ?? "")
    }
  }

  /// Decodes files with a grammar and a dictionary that may lack its words.
  private static func command(_ grammar: String, dictionary: String, files: [URL]) throws {
    var configuration = configuration(grammar).withStandardPronunciations
    configuration.dictionary = URL(fileURLWithPath: dictionary)
    configuration.userDictionary = .off
    let decoder = try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en-US"))
    for file in files {
      let utterance = try decoder.decode(try AudioFile.read(file, as: decoder.format))
      report(file, utterance?.text ?? "")
    }
  }

  /// Builds a language model from the sentences of a file.
  private static func makeModel(of text: String, to path: String) throws {
    var builder = LanguageModelBuilder(locale: Locale(identifier: "en-US"))
    try builder.add(contentsOf: URL(fileURLWithPath: text))
    try builder.build().write(to: URL(fileURLWithPath: path))
  }

  #if Espeak
  private static func synthesize(textFile: String, to path: String) async throws {
    let voice = EspeakEngine()
    let text = try String(contentsOfFile: textFile, encoding: .utf8)
    try await voice.write(
      voice.makeRequest(text: text, voiceId: "en-us"), configuration: .default,
      to: URL(fileURLWithPath: path))
  }
  #endif

  /// Reads a stream of events to its end, and prints their number.
  private static func stream(from address: String) async throws {
    let response = try await CurlTransport().send(try request(.get, address))
    var count = 0
    for try await _ in response.body.serverSentEvents() { count += 1 }
    print(count)
  }

  /// Repeats a call with JSON.
  private static func call(_ address: String, times: Int) async throws {
    struct Body: Codable { var prompt: String }
    let client = ServiceClient(
      name: "Peer", endpoint: ServiceEndpoint(baseURL: address, authentication: .none), key: .none,
      environment: .standard)
    for _ in 0..<times {
      let _: Body = try await client.json(for: .post("echo", json: Body(prompt: "Hello")))
    }
  }

  /// Requests texts over Socket.IO, each after the one before, and prints the mean time in
  /// microseconds.
  private static func socket(port: String, times: Int) async throws {
    let address = try request(.get, "ws://127.0.0.1:\(port)")
    let service = LLMService(LLMConfiguration(url: address.url, dialect: .socketIO))
    _ = try await service.generateText("warm")
    let start = ContinuousClock.now
    for number in 0..<times { _ = try await service.generateText("\(number)") }
    print(start.duration(to: .now) / .microseconds(times))
    await service.disconnect()
  }

  private static func request(_ method: HTTPRequest.Method, _ address: String) throws -> HTTPRequest
  {
    guard let url = URL(string: address) else {
      throw UsageError("“\(address)” is not a valid address")
    }
    return HTTPRequest(method, url, responseLimit: .max)
  }

  /// Returns the configuration for the name of a preset or the path of a grammar.
  private static func configuration(_ setting: String) -> PocketSphinxConfiguration {
    if let preset = PocketSphinxPreset(rawValue: setting) {
      return PocketSphinxConfiguration(preset: preset)
    }
    return PocketSphinxConfiguration(search: .grammarFile(URL(fileURLWithPath: setting)))
  }

  private static func files(in list: String) throws -> [URL] {
    try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      .map { URL(fileURLWithPath: String($0)) }
  }

  static func report(_ file: URL, _ text: String) {
    print("\(file.deletingPathExtension().lastPathComponent)\t\(text)")
  }

  /// Returns the texts in a worker's output, by recording.
  static func heard(in output: String) -> [String: String] {
    var heard: [String: String] = [:]
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      if fields.count == 2 { heard[String(fields[0])] = String(fields[1]) }
    }
    return heard
  }
}
