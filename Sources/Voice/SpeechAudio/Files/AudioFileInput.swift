import Foundation
import SpeechConcurrency
import Synchronization

/// An audio file as an input: each `open()` captures it once from its beginning to its end.
///
/// Without a clock it is read as fast as possible; with a clock it keeps the clock's pace.
public struct AudioFileInput: AudioInput {
  private let source: AudioFileCapture.Source
  private let clock: (any DeviceClock)?

  /// The name of the file for display.
  public let name: String

  /// Creates an input from a file.
  public init(_ url: URL, clock: (any DeviceClock)? = nil) {
    source = .file(url)
    name = url.lastPathComponent
    self.clock = clock
  }

  /// Creates an input from a pipe.
  public init(descriptor: Int32, name: String = "standard input") {
    source = .descriptor(descriptor, name: name)
    self.name = name
    clock = nil
  }

  /// Creates an input from audio in memory.
  public init(_ buffer: PCMBuffer, name: String = "memory", clock: (any DeviceClock)? = nil) {
    source = .buffer(buffer)
    self.name = name
    self.clock = clock
  }

  /// Opens the file.
  ///
  /// - Throws: `AudioError` when it cannot be read.
  public func open() async throws -> any AudioCapture {
    try await openFile()
  }

  package func openFile() async throws -> AudioFileCapture {
    let reading = FileReading()
    let (format, duration) = try await unlessCancelled { try await reading.open(source) }
    return AudioFileCapture(
      reading: reading, format: format, duration: duration, clock: clock)
  }
}

package final class AudioFileCapture: AudioCapture {
  enum Source: Sendable {
    case file(URL)
    case descriptor(Int32, name: String)
    case buffer(PCMBuffer)
  }

  package let format: AudioFormat
  /// The duration that the header states.
  package let duration: Duration?
  private let reading: FileReading
  private let clock: (any DeviceClock)?
  private let timer: (any DeviceTimer)?
  private let startTime: Duration
  private let framesRead = Atomic(0)
  private let isStopped = Atomic(false)

  fileprivate init(
    reading: FileReading, format: AudioFormat, duration: Duration?, clock: (any DeviceClock)?
  ) {
    self.reading = reading
    self.format = format
    self.duration = duration
    self.clock = clock
    timer = clock?.makeTimer()
    startTime = clock?.time ?? .zero
  }

  deinit { timer?.cancel() }

  package var statistics: AudioStatistics {
    AudioStatistics(frames: framesRead.load(ordering: .relaxed))
  }

  /// True if the file turned out to be shorter than its header states; known at the end.
  package var isCutOff: Bool { get async { await reading.isCutOff } }

  /// The reason that the audio ends before its bytes do; known at the end.
  package var damage: String? { get async { await reading.damage } }

  package func read() async throws -> AudioCaptureEvent? {
    try Task.checkCancellation()
    guard !isStopped.load(ordering: .acquiring),
      let buffer = try await unlessCancelled({ try await reading.read() })
    else {
      timer?.cancel()
      return nil
    }
    let (_, end) = framesRead.add(buffer.frameCount, ordering: .relaxed)
    do {
      try await timer?.sleep(until: startTime + format.duration(ofFrames: end))
    } catch {
      guard isStopped.load(ordering: .acquiring), !Task.isCancelled else { throw error }
      return nil
    }
    return .audio(buffer)
  }

  package func stop() {
    isStopped.store(true, ordering: .releasing)
    timer?.cancel()
  }
}

/// Reports a read that was interrupted by a cancellation as such, instead of the system's error.
private func unlessCancelled<Value: Sendable>(
  _ body: () async throws -> Value
) async throws -> Value {
  do {
    return try await body()
  } catch {
    try Task.checkCancellation()
    throw error
  }
}

/// Reads on a queue of its own, because a pipe without a writer blocks.
private actor FileReading {
  private enum Reader: ~Copyable {
    case closed
    case file(AudioFileReader)
    case buffer(PCMBuffer, next: Int)
  }

  private let executor = SerialQueueExecutor(label: "SpeechKit.file")
  private var reader = Reader.closed
  private(set) var isCutOff = false
  private(set) var damage: String?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  func open(_ source: AudioFileCapture.Source) throws -> (AudioFormat, Duration?) {
    switch source {
    case .file(let url): return open(try AudioFileReader(url))
    case .descriptor(let descriptor, let name):
      return open(try AudioFileReader(descriptor: descriptor, name: name))
    case .buffer(let buffer):
      reader = .buffer(buffer, next: 0)
      return (buffer.format, buffer.duration)
    }
  }

  func read() throws -> PCMBuffer? {
    var taken = Reader.closed
    swap(&taken, &reader)
    switch consume taken {
    case .closed:
      return nil
    case .file(var file):
      let buffer = try file.read(frames: file.format.sampleRate / 10)
      isCutOff = file.isCutOff
      damage = file.damage
      if buffer != nil { reader = .file(file) }
      return buffer
    case .buffer(let buffer, let next):
      let end = min(buffer.frameCount, next + buffer.format.sampleRate / 10)
      reader = .buffer(buffer, next: end)
      return next == end ? nil : buffer.slice(next..<end)
    }
  }

  private func open(_ file: consuming AudioFileReader) -> (AudioFormat, Duration?) {
    let description = (file.format, file.info.duration)
    reader = .file(file)
    return description
  }
}
