import CSndFile
import Foundation

/// Reads an audio file piece by piece, mixed down to mono 16 bit at its own rate.
///
/// WAV and RF64 (8 to 32 bit, float, A-law, µ-law), FLAC, Ogg Vorbis and Opus, and MP3 are read
/// from files, memory and pipes; everything else is refused before it reaches a decoder. A cut-off
/// file is read as far as possible, and sets `isCutOff`.
package struct AudioFileReader: ~Copyable {
  package let info: AudioFileInfo
  package var format: AudioFormat { info.format }
  package private(set) var framesRead = 0
  /// The reason that the audio ends before its bytes do; known at the end.
  package private(set) var damage: String?

  /// The first error of the library, and whether all bytes had been read then.
  private var failure: (reason: String, isAtEnd: Bool)?
  private let handle: OpaquePointer
  private let source: ByteSource
  private let isWide: Bool
  private var narrow: [Int16] = []
  private var wide: [Double] = []

  /// The limit of compressed audio from a pipe, which is kept in memory.
  static let mostSpooledBytes = 256 << 20
  private static let mostFramesAtOnce = 16_384
  /// Programs that write a WAV without knowing its length put a number there that is at least this
  /// large.
  private static let placeholder = 0x7FFF_0000

  /// Opens a regular file.
  ///
  /// - Throws: `AudioError.fileNotFound`, `.unreadableFile` for folders, pipes, devices and files
  ///   that the system refuses, `.unsupportedFormat` if it is not audio in a supported format.
  package init(_ url: URL) throws(AudioError) {
    try self.init(ByteSource(url))
  }

  /// Opens an audio file in memory; the name is for messages.
  package init(_ data: Data, name: String = "audio data") throws(AudioError) {
    try self.init(ByteSource(data, name: name))
  }

  /// Opens a descriptor: a pipe, standard input (0), a socket, or a file from its current position.
  /// The descriptor stays the caller's and has to outlive the reader.
  ///
  /// WAV is read as it arrives, also without a known length; other containers are first read to
  /// their end. Opening and reading wait for the writer, and fail in a task that is cancelled.
  package init(descriptor: Int32, name: String = "standard input") throws(AudioError) {
    try self.init(ByteSource(descriptor: descriptor, name: name))
  }

  private init(_ source: ByteSource) throws(AudioError) {
    let container = try AudioContainer.recognise(source)
    var description = SF_INFO()
    var isWide = false
    if container == .wav {
      let header = try WAVHeader.read(from: source)
      if let promised = header.dataLength, promised < Self.placeholder,
        let there = source.length.map({ $0 - source.position }), promised > there
      {
        source.noteCutOff()
      }
      source.rebase(
        length: header.dataLength.map { $0 - $0 % header.bytesPerFrame })
      description.format = header.rawFormat
      description.channels = Int32(header.channels)
      description.samplerate = Int32(header.sampleRate)
      isWide = header.encoding != .signed16
    } else {
      try source.spool(limit: Self.mostSpooledBytes)
      isWide = container != .flac
      switch container {
      case .ogg, .opus: source.dropIncompletePage()
      case .mp3: source.dropIncompleteFrame()
      case .wav, .flac: break
      }
    }
    let refuse = { (reason: String) in
      AudioError.unsupportedFormat(source: source.name, reason: reason)
    }

    let handle = try SoundLibrary.open(
      SFM_READ, source.callbacks, Unmanaged.passUnretained(source).toOpaque(), &description
    ) { reason in
      source.failure == 0
        ? refuse(reason)
        : .unreadableFile(path: source.name, reason: systemMessage(source.failure))
    }
    let channels = Int(description.channels)
    let sampleRate = Int(description.samplerate)
    do throws(AudioError) {
      try Self.check(channels: channels, sampleRate: sampleRate, refuse)
      guard container.allows(description.format) else {
        throw refuse("its contents do not match its first bytes")
      }
    } catch {
      sf_close(handle)
      throw error
    }
    self.handle = handle
    self.source = source
    let subtype = Int(description.format) & Int(SF_FORMAT_SUBMASK)
    self.isWide = isWide || ![SF_FORMAT_PCM_16, SF_FORMAT_PCM_S8].contains { $0 == subtype }
    let frames = Int(description.frames)
    let isKnown =
      container == .wav ? source.length != nil : frames > 0 && frames < Int.max
    info = AudioFileInfo(
      sampleRate: sampleRate, channels: channels, container: container,
      frameCount: isKnown ? frames : nil)
  }

  deinit {
    sf_close(handle)
  }

  /// True if there is less audio than the header states; known at the end.
  package var isCutOff: Bool {
    source.isCutOff || damage != nil || framesRead < info.frameCount ?? 0
  }

  /// Reads the next frames, as many as requested unless the audio ends before; `nil` at the end.
  ///
  /// - Throws: `AudioError.unreadableFile` when the system fails to read, `.damagedFile` when the
  ///   very first frames cannot be decoded; later damage ends the audio.
  package mutating func read(frames: Int) throws(AudioError) -> PCMBuffer? {
    var samples: [Int16] = []
    samples.reserveCapacity(min(frames, Self.mostFramesAtOnce))
    while samples.count < frames {
      let count = readBlock(min(frames - samples.count, Self.mostFramesAtOnce), into: &samples)
      if count == 0 { break }
    }
    framesRead += samples.count
    guard samples.isEmpty, frames > 0 else { return PCMBuffer(samples: samples, format: format) }
    try source.checkFailure()
    if framesRead == 0, let failure {
      throw .damagedFile(path: source.name, reason: failure.reason)
    }
    if let failure, !failure.isAtEnd { damage = failure.reason }
    return nil
  }

  private mutating func readBlock(_ frames: Int, into samples: inout [Int16]) -> Int {
    let channels = info.channels
    // The library forgets an error with the next call.
    defer {
      if failure == nil, sf_error(handle) != 0 {
        failure = (SoundLibrary.words(sf_strerror(handle)), source.isAtEnd)
      }
    }
    let count: Int
    if isWide {
      if wide.count < frames * channels {
        wide = [Double](repeating: 0, count: frames * channels)
      }
      count = Int(sf_readf_double(handle, &wide, sf_count_t(frames)))
      let scale = 32_768 / Double(channels)
      for start in stride(from: 0, to: max(0, count) * channels, by: channels) {
        var sum = wide[start]
        for index in start + 1..<start + channels { sum += wide[index] }
        samples.append(Int16(rounding: sum * scale))
      }
    } else {
      if narrow.count < frames * channels {
        narrow = [Int16](repeating: 0, count: frames * channels)
      }
      count = Int(sf_readf_short(handle, &narrow, sf_count_t(frames)))
      guard channels > 1 else {
        samples.append(contentsOf: narrow.prefix(max(0, count)))
        return max(0, count)
      }
      for start in stride(from: 0, to: max(0, count) * channels, by: channels) {
        let sum = narrow[start..<start + channels].reduce(0) { $0 + Int($1) }
        samples.append(Int16(rounding: Double(sum) / Double(channels)))
      }
    }
    return max(0, count)
  }

  /// Checks the properties of a header before memory is allocated for them.
  static func check(
    channels: Int, sampleRate: Int, _ refuse: (String) -> AudioError
  ) throws(AudioError) {
    guard 1...32 ~= channels else {
      throw refuse("it has \(channels) channels; 1 to 32 can be read")
    }
    guard 1_000...768_000 ~= sampleRate else {
      throw refuse("it has \(sampleRate) samples per second; 1000 to 768000 can be read")
    }
  }
}

extension Int16 {
  /// The nearest sample. Values that are too large stay at full scale; a value that is not a number
  /// is silence.
  init(rounding value: Double) {
    self = value.isNaN ? 0 : Int16(Swift.min(Swift.max(value.rounded(), -32_768), 32_767))
  }
}

extension AudioContainer {
  /// True if libsndfile's format agrees with the first bytes.
  fileprivate func allows(_ format: Int32) -> Bool {
    let major = Int(format) & Int(SF_FORMAT_TYPEMASK)
    let minor = Int(format) & Int(SF_FORMAT_SUBMASK)
    return switch self {
    case .wav: major == SF_FORMAT_RAW
    case .flac: major == SF_FORMAT_FLAC
    case .ogg: major == SF_FORMAT_OGG && minor == SF_FORMAT_VORBIS
    case .opus: major == SF_FORMAT_OGG && minor == SF_FORMAT_OPUS
    case .mp3: major == SF_FORMAT_MPEG && minor == SF_FORMAT_MPEG_LAYER_III
    }
  }
}

extension WAVHeader {
  /// libsndfile's format of samples without a header.
  fileprivate var rawFormat: Int32 {
    let subtype =
      switch encoding {
      case .unsigned8: SF_FORMAT_PCM_U8
      case .signed16: SF_FORMAT_PCM_16
      case .signed24: SF_FORMAT_PCM_24
      case .signed32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .float64: SF_FORMAT_DOUBLE
      case .aLaw: SF_FORMAT_ALAW
      case .muLaw: SF_FORMAT_ULAW
      }
    return Int32(SF_FORMAT_RAW | subtype | SF_ENDIAN_LITTLE)
  }
}

extension ByteSource {
  /// libsndfile's callbacks for reading; their user data is the address of the source.
  fileprivate var callbacks: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { address in
        sf_count_t(ByteSource.at(address)?.length ?? 1 << 50)
      },
      seek: { offset, whence, address in
        guard let source = ByteSource.at(address) else { return -1 }
        let target: Int =
          switch whence {
          case SEEK_SET: Int(offset)
          // A damaged file may request any position; one that wraps around is negative and refused.
          case SEEK_CUR: source.position &+ Int(offset)
          default: (source.length ?? 1 << 50) &+ Int(offset)
          }
        return source.seek(to: target) ? sf_count_t(target) : -1
      },
      read: { buffer, count, address in
        guard let source = ByteSource.at(address), let buffer, count > 0 else { return 0 }
        return sf_count_t(source.read(into: .init(start: buffer, count: Int(count))))
      },
      write: { _, _, _ in 0 },
      tell: { address in sf_count_t(ByteSource.at(address)?.position ?? 0) })
  }

  private static func at(_ address: UnsafeMutableRawPointer?) -> ByteSource? {
    address.map { Unmanaged<ByteSource>.fromOpaque($0).takeUnretainedValue() }
  }
}
