import Foundation

/// Memory for a secret: separate pages that are excluded from core dumps and child processes, kept
/// out of swap where the system allows it, and zeroed when freed.
struct SecretMemory: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer, which has no other user.
  private let pages: UnsafeMutableRawBufferPointer
  private let isMapped: Bool
  private var count: Int

  /// Copies the bytes.
  init(_ source: UnsafeRawBufferPointer) {
    count = source.count
    let pageSize = max(Int(getpagesize()), 1)
    let size = (max(source.count, 1) + pageSize - 1) / pageSize * pageSize
    let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if let mapped, mapped != MAP_FAILED {
      pages = UnsafeMutableRawBufferPointer(start: mapped, count: size)
      isMapped = true
      // Each of the three may fail: locked memory is limited for ordinary users (8 MiB in Debian
      // 12), and old kernels cannot wipe on fork. The secret is kept even then.
      madvise(mapped, size, MADV_DONTDUMP)
      madvise(mapped, size, MADV_WIPEONFORK)
      mlock(mapped, size)
    } else {
      pages = .allocate(byteCount: size, alignment: 16)
      isMapped = false
    }
    pages.copyBytes(from: source)
  }

  deinit {
    wipe()
    if isMapped {
      munmap(pages.baseAddress, pages.count)
    } else {
      pages.deallocate()
    }
  }

  /// The bytes of the secret.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: pages[..<count]) }

  /// Zeroes and empties the memory.
  mutating func clear() {
    wipe()
    count = 0
  }

  private func wipe() {
    // Not a plain loop, because the optimiser may remove writes to memory that is freed next.
    if let start = pages.baseAddress { explicit_bzero(start, pages.count) }
  }
}
