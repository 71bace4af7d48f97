import Foundation

/// The destination of the bytes of an audio file: memory, a file, or a stream without seeking.
///
/// A class, because libsndfile's callbacks need a stable address. It keeps the first error code,
/// because libsndfile does not pass it on.
final class ByteSink {
  private enum Storage {
    case memory
    case file(OutputFile)
    case stream(Int32)
  }

  private(set) var position = 0
  /// The system's error code of the first failed write; 0 without one.
  private(set) var failure: Int32 = 0
  private(set) var data = Data()
  private(set) var length = 0
  private let storage: Storage

  init() {
    storage = .memory
  }

  init(_ file: OutputFile) {
    storage = file.isSeekable ? .file(file) : .stream(file.descriptor)
    output = file
  }

  init(stream descriptor: Int32) {
    storage = .stream(descriptor)
  }

  /// The file, kept here so that it stays open.
  private(set) var output: OutputFile?

  /// True if written data can be changed.
  var isSeekable: Bool {
    if case .stream = storage { false } else { true }
  }

  func seek(to target: Int) -> Bool {
    guard isSeekable, target >= 0 else { return target == position }
    position = target
    return true
  }

  /// Writes the bytes, and returns the number that the system accepted.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard failure == 0, !bytes.isEmpty else { return 0 }
    var count = bytes.count
    switch storage {
    case .memory:
      if position > data.count { data.append(Data(count: position - data.count)) }
      let overlap = min(data.count - position, count)
      data.replaceSubrange(position..<position + overlap, with: bytes)
    case .file(let file):
      count = drain(bytes, into: file.descriptor, at: position)
    case .stream(let descriptor):
      count = drain(bytes, into: descriptor, at: nil)
    }
    position += count
    length = max(length, position)
    return count
  }

  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes(write)
  }

  private func drain(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32, at offset: Int?)
    -> Int
  {
    guard let address = bytes.baseAddress else { return 0 }
    var done = 0
    while done < bytes.count {
      let rest = bytes.count - done
      let count =
        if let offset {
          pwrite(descriptor, address + done, rest, off_t(offset + done))
        } else {
          Foundation.write(descriptor, address + done, rest)
        }
      if count > 0 {
        done += count
      } else if count == 0 {
        failure = ENOSPC
        break
      } else if errno == EAGAIN {
        guard waitUntilReady(descriptor, for: POLLOUT) else {
          failure = ECANCELED
          break
        }
      } else if errno != EINTR {
        failure = errno
        break
      }
    }
    return done
  }
}
