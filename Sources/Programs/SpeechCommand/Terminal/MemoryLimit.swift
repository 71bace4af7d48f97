import Foundation

package enum MemoryLimit {
  /// The address space in bytes that the threads of the program need. Without it the system's
  /// queues wait for a thread for ever.
  private static let least = 96 << 20

  /// True if there is enough address space for the program to report further errors itself.
  package static var isEnough: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != .max
    else { return true }
    // A heap for each thread would take 64 MB of address space each.
    _ = setAllocatorParameter(arenaLimit, 1)
    let room = mmap(
      nil, least, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard room != MAP_FAILED else { return false }
    munmap(room, least)
    return true
  }

  /// Reports that the limit is too low, without the use of threads.
  package static func complain() {
    var text = "speechkit: The limit on memory is too low. Raise the limit (`ulimit -v 400000`).\n"
    text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// The parameter `M_ARENA_MAX` of the C library.
  private static let arenaLimit: Int32 = -8
}

/// The function of the C library, which its module does not export.
@_silgen_name("mallopt")
private func setAllocatorParameter(_ parameter: Int32, _ value: Int32) -> Int32
