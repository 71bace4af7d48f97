import Foundation

/// Memory that holds a secret: pages of its own, which are left out of core dumps and of child processes,
/// kept out of swap where the system allows it, and zeroed at the end.
struct SecretMemory: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer, which nobody else has.
  private let pages: UnsafeMutableRawBufferPointer
  private let isMapped: Bool
  private var count: Int

  /// A copy of those bytes.
  init(_ source: UnsafeRawBufferPointer) {
    count = source.count
    let pageSize = max(Int(getpagesize()), 1)
    let size = (max(source.count, 1) + pageSize - 1) / pageSize * pageSize
    let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if let mapped, mapped != MAP_FAILED {
      pages = UnsafeMutableRawBufferPointer(start: mapped, count: size)
      isMapped = true
      // Each of the three may be refused: locked memory is limited for ordinary users (8 MiB in Debian 12),
      // and old kernels know no wiping. A secret without that is still better than none.
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

  /// Forgets the secret.
  mutating func clear() {
    wipe()
    count = 0
  }

  private func wipe() {
    // Not an ordinary loop, because the optimiser may leave out writes to memory that is freed next.
    if let start = pages.baseAddress { explicit_bzero(start, pages.count) }
  }
}
