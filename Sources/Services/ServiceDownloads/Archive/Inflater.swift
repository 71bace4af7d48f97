import CZlib
import Foundation

/// zlib's decompression. The library is part of every Debian system, and is loaded at its first
/// use.
struct Inflater: ~Copyable {
  private typealias Stream = UnsafeMutablePointer<speechkit_z_stream>

  /// Unchecked because the functions of a loaded library do not change.
  private struct Functions: @unchecked Sendable {
    let start: @convention(c) (Stream, CInt, UnsafePointer<CChar>, CInt) -> CInt
    let inflate: @convention(c) (Stream, CInt) -> CInt
    let end: @convention(c) (Stream) -> CInt
    let checksum:
      @convention(c) (CUnsignedLong, UnsafePointer<UInt8>?, CUnsignedInt)
        -> CUnsignedLong

    init?() {
      guard let library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL),
        let start = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
        let end = dlsym(library, "inflateEnd"), let checksum = dlsym(library, "crc32")
      else { return nil }
      self.start = unsafeBitCast(start, to: type(of: self.start))
      self.inflate = unsafeBitCast(inflate, to: type(of: self.inflate))
      self.end = unsafeBitCast(end, to: type(of: self.end))
      self.checksum = unsafeBitCast(checksum, to: type(of: self.checksum))
    }
  }

  private static let loaded = Functions()
  private let functions: Functions
  private let stream: Stream

  /// Starts to decompress raw deflated bytes.
  ///
  /// - Throws: `ZipError` if there is no zlib.
  init(_ bytes: UnsafeRawBufferPointer) throws(ZipError) {
    guard let functions = Self.loaded else { throw ZipError("zlib is missing; install zlib1g") }
    let stream = Stream.allocate(capacity: 1)
    stream.initialize(to: speechkit_z_stream())
    stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = CUnsignedInt(bytes.count)
    // A negative size of the window stands for deflated bytes without a header. zlib refuses a
    // structure of another size than its own.
    let size = CInt(MemoryLayout<speechkit_z_stream>.size)
    guard functions.start(stream, -15, "1.2.11", size) == 0 else {
      stream.deallocate()
      throw ZipError("zlib cannot be used")
    }
    self.functions = functions
    self.stream = stream
  }

  deinit {
    _ = functions.end(stream)
    stream.deallocate()
  }

  /// Decompresses as many bytes as fit.
  ///
  /// - Returns: the number of bytes, 0 at the end.
  func read(into room: inout [UInt8]) throws(ZipError) -> Int {
    let capacity = room.count
    let code = room.withUnsafeMutableBufferPointer { room in
      stream.pointee.next_out = room.baseAddress
      stream.pointee.avail_out = CUnsignedInt(room.count)
      return functions.inflate(stream, 0)
    }
    let count = capacity - Int(stream.pointee.avail_out)
    // Success, the end, or no progress after the end.
    guard code == 0 || code == 1 || (code == -5 && count == 0) else {
      throw ZipError("its data is damaged")
    }
    return count
  }

  /// Continues a CRC-32 with more bytes.
  static func checksum(_ value: UInt32, _ bytes: UnsafeRawBufferPointer) throws(ZipError) -> UInt32
  {
    guard let loaded else { throw ZipError("zlib is missing; install zlib1g") }
    return UInt32(
      truncatingIfNeeded: loaded.checksum(
        CUnsignedLong(value), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        CUnsignedInt(bytes.count)))
  }
}

/// A fault of a zip archive, as the end of a sentence about it.
struct ZipError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
