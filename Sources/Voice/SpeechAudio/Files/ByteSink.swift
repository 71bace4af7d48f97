import Foundation

/// Where the bytes of a sound file go: memory, a file, or a stream that cannot go back.
///
/// A class, because libsndfile's callbacks need an address that stays where it is. It remembers the
/// first failure, as libsndfile does not pass on what the system said.
final class ByteSink {
  private enum Storage {
    case memory
    case file(OutputFile)
    case stream(Int32)
  }

  private(set) var position = 0
  /// The system's code of the first write that failed; 0 when none did.
  private(set) var failure: Int32 = 0
  /// What was written, when it goes to memory.
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

  /// The file, when it goes to one; kept here so that it stays open.
  private(set) var output: OutputFile?

  /// Whether what was written can be changed.
  var isSeekable: Bool {
    if case .stream = storage { false } else { true }
  }

  func seek(to target: Int) -> Bool {
    guard isSeekable, target >= 0 else { return target == position }
    position = target
    return true
  }

  /// Writes all of it, or says how much of it before the system refused.
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

  /// Writes an array.
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
