import Foundation

/// The source of the bytes of an audio file: memory, a file, or a stream without seeking.
///
/// A class, because libsndfile's callbacks need a stable address. Positions count from `rebase()`
/// on, so that libsndfile sees only the part that it is meant to decode.
final class ByteSource {
  private enum Storage {
    case memory(Data)
    case file(Int32)
    case stream(Int32)
  }

  let name: String
  /// The number of bytes from the base on; `nil` if only the end of the stream determines it.
  private(set) var length: Int?
  private(set) var position = 0
  /// True if there are fewer bytes than the header states.
  private(set) var isCutOff = false
  /// The system's error code of a failed read; 0 without one.
  private(set) var failure: Int32 = 0

  private var storage: Storage
  private let closesDescriptor: Bool
  private var base = 0
  /// Bytes that replace those of the file.
  private var replacement: (start: Int, bytes: [UInt8])?
  /// The bytes of a stream that were peeked at and have not been read yet.
  private var ahead: [UInt8] = []

  init(_ data: Data, name: String) {
    self.name = name
    storage = .memory(data)
    closesDescriptor = false
    length = data.count
  }

  /// Opens a file. Opening cannot hang, because only regular files are accepted.
  init(_ url: URL) throws(AudioError) {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, !path.contains("\0") else {
      throw .unreadableFile(path: url.absoluteString, reason: "it is not a file URL")
    }
    name = path
    closesDescriptor = true
    // Without O_NONBLOCK a named pipe would block until it has a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { throw .fileNotFound(path: path) }
      throw .unreadableFile(path: path, reason: systemMessage(code))
    }
    var status = stat()
    let reason: String? =
      if fstat(descriptor, &status) != 0 {
        systemMessage(errno)
      } else {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "it is a folder, not a file"
        case S_IFIFO: "it is a pipe, not a file; pass its descriptor, or use standard input"
        default: "it is a device, not a file"
        }
      }
    storage = .file(descriptor)
    if let reason {
      throw .unreadableFile(path: path, reason: reason)
    }
    length = Int(status.st_size)
  }

  /// Uses a descriptor that stays its owner's: a regular file is read from its current position,
  /// everything else as a stream.
  init(descriptor: Int32, name: String) throws(AudioError) {
    self.name = name
    closesDescriptor = false
    storage = .stream(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadableFile(path: name, reason: systemMessage(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw .unreadableFile(path: name, reason: "it is a folder, not a file")
    case S_IFREG:
      storage = .file(descriptor)
      base = Int(lseek(descriptor, 0, SEEK_CUR))
      length = max(0, Int(status.st_size) - base)
    default:
      break
    }
  }

  deinit {
    if closesDescriptor, case .file(let descriptor) = storage { close(descriptor) }
  }

  /// True if all bytes have been read.
  var isAtEnd: Bool { position >= length ?? Int.max }

  /// True if reading can seek back.
  var isSeekable: Bool {
    if case .stream = storage { false } else { true }
  }

  /// Makes the current position the start, with at most that many bytes from here on.
  func rebase(length limit: Int? = nil) {
    let rest = length.map { $0 - position }
    length = if let rest, let limit { min(rest, limit) } else { rest ?? limit }
    base += position
    position = 0
  }

  func noteCutOff() { isCutOff = true }

  /// Seeks to that position; a stream can only stay where it is.
  func seek(to target: Int) -> Bool {
    guard isSeekable else { return target == position }
    guard target >= 0 else { return false }
    position = target
    return true
  }

  /// Reads until the buffer is full or the bytes end, and returns their number.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var wanted = buffer.count
    if let length { wanted = min(wanted, length - position) }
    guard wanted > 0, failure == 0 else { return 0 }
    let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    let count =
      switch storage {
      case .memory(let data):
        data.copyBytes(
          to: target, from: data.startIndex + base + position..<data.endIndex)
      case .file(let descriptor):
        fill(target, from: descriptor, at: base + position)
      case .stream(let descriptor):
        readStream(into: target, from: descriptor)
      }
    if let (start, bytes) = replacement {
      for index in start..<start + bytes.count
      where index >= position && index < position + count {
        target[index - position] = bytes[index - start]
      }
    }
    position += count
    return count
  }

  func replace(_ bytes: [UInt8], at start: Int) {
    replacement = (start, bytes)
  }

  /// Reads the next bytes, fewer at the end.
  func read(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Returns the next bytes without consuming them.
  func peek(_ count: Int) -> [UInt8] {
    let start = position
    let bytes = read(count)
    position = start
    if !isSeekable { ahead = bytes + ahead }
    return bytes
  }

  /// Skips that many bytes; false if there are fewer.
  func skip(_ count: Int) -> Bool {
    if isSeekable {
      position += count
      return position <= length ?? Int.max
    }
    var rest = count
    while rest > 0 {
      let got = read(min(rest, 65_536)).count
      if got == 0 { return false }
      rest -= got
    }
    return true
  }

  /// Reads the rest of a stream into memory, for formats that need to seek.
  func spool(limit: Int) throws(AudioError) {
    guard !isSeekable else { return }
    var data = Data()
    while true {
      let block = read(262_144)
      if block.isEmpty { break }
      data.append(contentsOf: block)
      guard data.count <= limit else {
        throw .unreadableFile(
          path: name,
          reason:
            "compressed audio from a pipe has to fit into \(limit >> 20) MiB; store it as a file")
      }
    }
    try checkFailure()
    storage = .memory(data)
    base = 0
    position = 0
    length = data.count
  }

  func checkFailure() throws(AudioError) {
    guard failure == 0 else {
      throw .unreadableFile(path: name, reason: systemMessage(failure))
    }
  }

  private func readStream(into target: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int
  {
    let known = min(ahead.count, target.count)
    ahead.withUnsafeBytes { target.copyMemory(from: .init(rebasing: $0[..<known])) }
    ahead.removeFirst(known)
    guard known < target.count else { return known }
    return known + fill(.init(rebasing: target[known...]), from: descriptor, at: nil)
  }

  private func fill(
    _ target: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int?
  ) -> Int {
    guard let address = target.baseAddress else { return 0 }
    var done = 0
    while done < target.count {
      let rest = target.count - done
      // A pipe may stay silent for ever; a cancelled task can still stop reading it.
      if offset == nil, !waitUntilReady(descriptor, for: POLLIN) {
        failure = ECANCELED
        break
      }
      let count =
        if let offset {
          pread(descriptor, address + done, rest, off_t(offset + done))
        } else {
          Foundation.read(descriptor, address + done, rest)
        }
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR, errno != EAGAIN {
        failure = errno
        break
      }
    }
    return done
  }
}

func systemMessage(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// Waits until the descriptor can be read or written; false if the task is cancelled first.
func waitUntilReady(_ descriptor: Int32, for events: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  // A cancellation cannot wake `poll`, so it is checked ten times a second.
  while !Task.isCancelled {
    let count = poll(&entry, 1, 100)
    // The next use of the descriptor reports what is wrong with it.
    if count > 0 || (count < 0 && errno != EINTR) { return true }
  }
  return false
}
