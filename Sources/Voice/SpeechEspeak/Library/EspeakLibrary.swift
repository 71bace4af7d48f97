import CEspeakNG
import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// The only owner of the library.
///
/// eSpeak NG keeps its state in global variables: a concurrent caller crashes it or mixes texts,
/// and it cannot be terminated twice. A process therefore has one instance, and this actor is the
/// only singleton of the toolkit. All calls run on its queue. The library is initialised once and
/// never terminated. Callers are served in order of arrival, one piece of text at a time.
actor EspeakLibrary {
  static let shared = EspeakLibrary()

  private let executor = SerialQueueExecutor(label: "com.speechkit.espeak")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var running: Running?
  /// The voice that is set. Speaking does not change it, because voice tags are not passed to the
  /// library.
  private var currentVoice: String?
  /// True if a command of an earlier text, such as a tag, may still wait for the next audio. A
  /// capital letter with a raised pitch would then be written before the start of the command list.
  private var mayHoldCommand = false

  private struct Running {
    var folder: String
    var format: AudioFormat
    var voices: EspeakVoices
  }

  private init() {}

  /// The voices that are installed.
  func voices(dataFolder: String?) throws(SpeechSynthesisProviderError) -> EspeakVoices {
    try start(dataFolder: dataFolder).voices
  }

  /// The format of all audio of the library.
  func format(dataFolder: String?) throws(SpeechSynthesisProviderError) -> AudioFormat {
    try start(dataFolder: dataFolder).format
  }

  func version() -> String {
    espeak_Info(nil).map { String(cString: $0) } ?? ""
  }

  /// Synthesises one piece into `synthesis`. Does nothing if it was cancelled before.
  func synthesize(
    _ order: EspeakOrder, into synthesis: EspeakSynthesis
  ) throws(SpeechSynthesisProviderError) {
    if synthesis.isCancelled { return }
    try prepare(order)
    let size = order.text.utf8.count + 1
    let flags =
      UInt32(espeakCHARS_UTF8) | (order.isMarkup ? UInt32(espeakSSML) : 0)
      | (order.endsWithPause ? UInt32(espeakENDPAUSE) : 0)
    let result = order.text.withCString { pointer in
      espeak_Synth(
        pointer, size, 0, POS_CHARACTER, 0, flags, nil,
        Unmanaged.passUnretained(synthesis).toOpaque())
    }
    guard result == EE_OK else {
      currentVoice = nil
      throw .unknown("eSpeak NG could not speak the text (code \(result.rawValue)).")
    }
  }

  /// Returns the phonemes of a text in the library's own notation, separated by `_`: a line
  /// for each clause.
  func phonemes(_ order: EspeakOrder) throws(SpeechSynthesisProviderError) -> [String] {
    try prepare(order)
    // Translation continues in the state of the previous piece: markup, skipped text, a character
    // that was put back. Only synthesis resets it, even of an empty text.
    espeak_Synth("", 1, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, nil)
    let bytes = order.text.utf8.count
    return order.text.withCString { start in
      var lines: [String] = []
      var cursor: UnsafeRawPointer? = UnsafeRawPointer(start)
      // One clause per iteration, and no more clauses than bytes.
      while cursor != nil, lines.count <= bytes {
        guard
          let line = espeak_TextToPhonemes(
            &cursor, Int32(espeakCHARS_UTF8), Int32(UInt8(ascii: "_")) << 8)
        else { break }
        lines.append(String(cString: line))
      }
      return lines
    }
  }

  /// The same for a thread that may block and does not run on this actor's queue.
  nonisolated func phonemesNow(_ order: EspeakOrder) throws -> [String] {
    try executor.sync { try assumeIsolated { try $0.phonemes(order) } }
  }

  private func prepare(_ order: EspeakOrder) throws(SpeechSynthesisProviderError) {
    _ = try start(dataFolder: order.dataFolder)
    try select(order.voice)
    var parameters = order.parameters
    let writesCommands = order.isMarkup || parameters.announcesCharacters
    if parameters.raisesCapitals {
      if writesCommands {
        parameters.capitals = 0
      } else if mayHoldCommand {
        EspeakParameters(.default).apply()
        takeCommand()
      }
    }
    if writesCommands { mayHoldCommand = true }
    parameters.apply()
  }

  /// Makes the library perform a command of an earlier text that waits for the next audio.
  private func takeCommand() {
    "a".withCString { start in
      var cursor: UnsafeRawPointer? = UnsafeRawPointer(start)
      _ = espeak_TextToPhonemes(&cursor, Int32(espeakCHARS_UTF8), 0)
    }
    mayHoldCommand = false
  }

  private func select(_ voice: String) throws(SpeechSynthesisProviderError) {
    guard voice != currentVoice else { return }
    currentVoice = nil
    guard espeak_SetVoiceByName(voice) == EE_OK else { throw .voiceNotAvailable(voice) }
    currentVoice = voice
  }

  private func start(dataFolder: String?) throws(SpeechSynthesisProviderError) -> Running {
    if let running {
      if let dataFolder, EspeakData.folder(preferring: dataFolder) != running.folder {
        throw .initializationFailed(
          "eSpeak NG already uses the voices in “\(running.folder)”. A process can use only "
            + "one folder.")
      }
      return running
    }
    guard let folder = EspeakData.folder(preferring: dataFolder) else {
      throw .initializationFailed(
        "The voices of eSpeak NG were not found"
          + (dataFolder.map { " in “\($0)”" } ?? "") + ". Install espeak-ng-data.")
    }
    let repaired = try RepairedEspeakData(source: folder).folder()
    // It also asks libpcaudio for a sound device, which CEspeakNullDevice declines.
    let options =
      espeakINITIALIZE_PHONEME_EVENTS | espeakINITIALIZE_PHONEME_IPA | espeakINITIALIZE_DONT_EXIT
    let rate = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 60, repaired, Int32(options))
    var used: UnsafePointer<CChar>?
    espeak_Info(&used)
    // If it cannot use a folder, the library silently uses another.
    guard rate > 0, used.map({ String(cString: $0) }) == repaired else {
      throw .initializationFailed(
        "eSpeak NG could not be started with the voices in “\(folder)” (code \(rate)). "
          + "Reinstall espeak-ng-data.")
    }
    let entries = Self.canOpenFiles(in: repaired) ? listVoices() : []
    guard !entries.isEmpty else {
      throw .initializationFailed(
        "eSpeak NG could not read the voices in “\(folder)”. Reinstall espeak-ng-data, or let the "
          + "program open more files at once.")
    }
    espeak_SetSynthCallback(receiveEspeakBuffer)
    // Without this, an `<audio>` element makes the library open files and run a shell command.
    espeak_SetUriCallback { _, _, _ in 1 }
    let started = Running(
      folder: folder, format: AudioFormat(sampleRate: Int(rate)),
      voices: EspeakVoices(entries: entries, variants: EspeakData.variants(in: folder)))
    running = started
    return started
  }

  /// True if the library can open a folder, a folder in it, and a file there. It skips what it
  /// cannot open, so voices would be missing for the life of the process.
  private static func canOpenFiles(in folder: String) -> Bool {
    let descriptors = (0..<3).map { _ in open(folder, O_RDONLY | O_CLOEXEC) }
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    return !descriptors.contains { $0 < 0 }
  }

  private func listVoices() -> [EspeakVoices.Entry] {
    guard var cursor = espeak_ListVoices(nil) else { return [] }
    var entries: [EspeakVoices.Entry] = []
    while let voice = cursor.pointee {
      entries.append(EspeakVoices.Entry(voice.pointee))
      cursor += 1
    }
    return entries
  }
}

/// The library's input for one piece.
struct EspeakOrder: Sendable {
  var text: String
  var isMarkup = false
  var endsWithPause = true
  var voice: String
  var parameters: EspeakParameters
  var dataFolder: String?
}
