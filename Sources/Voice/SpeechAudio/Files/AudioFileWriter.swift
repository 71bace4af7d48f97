import CSndFile
import Foundation

/// Writes audio piece by piece to a file, a pipe or memory.
///
/// A file gets its name when `finish()` has succeeded; an older file of that name is unchanged
/// until then. A WAV is playable at any time, so that a crash leaves its audio in the hidden
/// `.part` file in the same folder, until the next program writes the same file. A writer that is
/// dropped without `finish()` leaves nothing. Programs that write to pipes ignore SIGPIPE, and get
/// an error instead.
package struct AudioFileWriter: ~Copyable {
  private enum Encoding {
    case plain
    case library(OpaquePointer)
    case finished
  }

  package let format: AudioFormat
  package let container: AudioContainer
  package private(set) var framesWritten = 0

  private let name: String
  private let sink: ByteSink
  /// The destination of compressed audio, which is encoded in memory because its encoders seek
  /// back.
  private let stream: ByteSink?
  private var encoding: Encoding
  private var headerFrames = 0

  /// Starts a file, whose extension determines the container: wav, flac, ogg, opus or mp3.
  ///
  /// - Throws: `AudioError.writeFailed` when the system refuses, when the extension is unknown, and
  ///   when the container does not support the sample rate.
  package init(_ url: URL, format: AudioFormat) throws(AudioError) {
    var container = AudioContainer(pathExtension: url.pathExtension)
    // Devices have no extension, and audio that is written to them has to be playable immediately.
    if url.pathExtension.isEmpty, url.path.hasPrefix("/dev/") { container = .wav }
    guard let container else {
      throw .writeFailed(
        path: url.path(percentEncoded: false),
        reason: "“\(url.pathExtension)” is not an extension of WAV, FLAC, OGG, Opus or MP3")
    }
    try self.init(url, as: container, format: format)
  }

  /// Starts a file of that container with any extension.
  package init(_ url: URL, as container: AudioContainer, format: AudioFormat) throws(AudioError) {
    try Self.check(container, format, url.path(percentEncoded: false))
    let file = try OutputFile(url)
    try self.init(ByteSink(file), name: file.path, container, format)
  }

  /// Writes to a descriptor that stays the caller's, such as standard output (1): WAV immediately,
  /// with “until the end” as its length, other containers when they are finished.
  package init(
    descriptor: Int32, name: String = "standard output", as container: AudioContainer = .wav,
    format: AudioFormat
  ) throws(AudioError) {
    try Self.check(container, format, name)
    try self.init(ByteSink(stream: descriptor), name: name, container, format)
  }

  /// Writes to memory; used by `AudioFile.encode(_:as:)`.
  init(inMemoryAs container: AudioContainer, format: AudioFormat) throws(AudioError) {
    let name = "\(container.rawValue) data"
    try Self.check(container, format, name)
    try self.init(ByteSink(), name: name, container, format)
  }

  private init(
    _ target: ByteSink, name: String, _ container: AudioContainer, _ format: AudioFormat
  ) throws(AudioError) {
    if container == .wav {
      let length = target.isSeekable ? 0 : nil
      target.write(WAVHeader.bytes(sampleRate: format.sampleRate, dataLength: length))
      guard target.failure == 0 else {
        throw .writeFailed(path: name, reason: systemMessage(target.failure))
      }
      sink = target
      stream = nil
      encoding = .plain
    } else {
      let sink = target.isSeekable ? target : ByteSink()
      var description = container.description(format)
      let handle = try SoundLibrary.open(
        SFM_WRITE, sink.callbacks, Unmanaged.passUnretained(sink).toOpaque(), &description
      ) { reason in
        .writeFailed(path: name, reason: sink.failure == 0 ? reason : systemMessage(sink.failure))
      }
      self.sink = sink
      stream = target.isSeekable ? nil : target
      encoding = .library(handle)
    }
    self.name = name
    self.format = format
    self.container = container
  }

  deinit {
    if case .library(let handle) = encoding { sf_close(handle) }
  }

  /// - Throws: `AudioError.writeFailed` when the system refuses, after `finish()`, and when the
  ///   buffer has another format than the file.
  package mutating func write(_ buffer: PCMBuffer) throws(AudioError) {
    guard buffer.format == format else {
      throw .writeFailed(
        path: name,
        reason: "audio of \(buffer.format.sampleRate) Hz cannot be added to a file of "
          + "\(format.sampleRate) Hz")
    }
    switch encoding {
    case .finished:
      throw .writeFailed(path: name, reason: "the file is already finished")
    case .plain:
      _ = buffer.samples.withUnsafeBytes(sink.write)
      framesWritten += buffer.frameCount
      // Once a second suffices for a file that has to be playable after a crash.
      if framesWritten - headerFrames >= format.sampleRate { updateHeader() }
    case .library(let handle):
      let count = sf_writef_short(handle, buffer.samples, sf_count_t(buffer.frameCount))
      framesWritten += Int(count)
      if count != buffer.frameCount, sink.failure == 0 {
        throw .writeFailed(path: name, reason: SoundLibrary.words(sf_strerror(handle)))
      }
    }
    try checkFailure()
  }

  /// Completes the file and gives it its name. A second call does nothing.
  ///
  /// - Parameter isDurable: waits until a file is on the disk.
  /// - Throws: `AudioError.writeFailed` when a part of it could not be stored; there is no new file
  ///   then, and an older one is unchanged.
  package mutating func finish(isDurable: Bool = true) throws(AudioError) {
    switch encoding {
    case .finished:
      return
    case .plain:
      updateHeader()
      encoding = .finished
    case .library(let handle):
      encoding = .finished
      let code = sf_close(handle)
      if code != 0, sink.failure == 0 {
        throw .writeFailed(path: name, reason: SoundLibrary.words(sf_error_number(code)))
      }
    }
    try checkFailure()
    if let stream {
      _ = sink.data.withUnsafeBytes(stream.write)
      try checkFailure()
    }
    try sink.output?.commit(isDurable: isDurable)
  }

  var data: Data { sink.data }

  private mutating func updateHeader() {
    headerFrames = framesWritten
    guard sink.isSeekable else { return }
    let end = sink.position
    let header = WAVHeader.bytes(sampleRate: format.sampleRate, dataLength: framesWritten * 2)
    guard sink.seek(to: 0) else { return }
    sink.write(header)
    _ = sink.seek(to: end)
  }

  private func checkFailure() throws(AudioError) {
    let code = sink.failure != 0 ? sink.failure : stream?.failure ?? 0
    guard code == 0 else { throw .writeFailed(path: name, reason: systemMessage(code)) }
  }

  private static func check(
    _ container: AudioContainer, _ format: AudioFormat, _ name: String
  ) throws(AudioError) {
    guard 1...768_000 ~= format.sampleRate else {
      throw .writeFailed(path: name, reason: "\(format.sampleRate) is not a sample rate")
    }
    guard container != .wav else { return }
    var description = container.description(format)
    // The library's own check does not know that Opus supports only five rates.
    let isOpus = container == .opus
    guard sf_format_check(&description) != 0,
      !isOpus || [8_000, 12_000, 16_000, 24_000, 48_000].contains(format.sampleRate)
    else {
      throw .writeFailed(
        path: name,
        reason: "\(container.rawValue) does not support \(format.sampleRate) Hz"
          + (isOpus ? ", only 8, 12, 16, 24 and 48 kHz; resample the audio first" : ""))
    }
  }
}

extension AudioContainer {
  /// libsndfile's description of a mono file.
  fileprivate func description(_ format: AudioFormat) -> SF_INFO {
    var description = SF_INFO()
    description.samplerate = Int32(format.sampleRate)
    description.channels = 1
    let format =
      switch self {
      case .wav: SF_FORMAT_WAV | SF_FORMAT_PCM_16
      case .flac: SF_FORMAT_FLAC | SF_FORMAT_PCM_16
      case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
      case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
      }
    description.format = Int32(format)
    return description
  }
}

extension ByteSink {
  /// libsndfile's callbacks for writing; their user data is the address of the sink.
  fileprivate var callbacks: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { address in sf_count_t(ByteSink.at(address)?.length ?? 0) },
      seek: { offset, whence, address in
        guard let sink = ByteSink.at(address) else { return -1 }
        let target: Int =
          switch whence {
          case SEEK_SET: Int(offset)
          case SEEK_CUR: sink.position + Int(offset)
          default: sink.length + Int(offset)
          }
        return sink.seek(to: target) ? sf_count_t(target) : -1
      },
      read: { _, _, _ in 0 },
      write: { buffer, count, address in
        guard let sink = ByteSink.at(address), let buffer, count > 0 else { return 0 }
        return sf_count_t(sink.write(UnsafeRawBufferPointer(start: buffer, count: Int(count))))
      },
      tell: { address in sf_count_t(ByteSink.at(address)?.position ?? 0) })
  }

  private static func at(_ address: UnsafeMutableRawPointer?) -> ByteSink? {
    address.map { Unmanaged<ByteSink>.fromOpaque($0).takeUnretainedValue() }
  }
}
