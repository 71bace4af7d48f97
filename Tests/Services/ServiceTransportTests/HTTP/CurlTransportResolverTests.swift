import AIServiceTesting
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import Testing

/// Tests with a resolver that never answers: an abandoned look-up must not delay other exchanges.
struct CurlTransportResolverTests {
  @Test(.enabled(if: SilentResolver.isPossible, "needs the right to mount"))
  func `a hanging name look-up delays no other request`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try SilentResolver()
      // The transport's thread must start where the resolver is silent.
      try await withTaskExecutorPreference(resolver) {
        let exchange = try Exchange()
        exchange.server.reply { _ in .text("alive") }
        let nowhere = try #require(URL(string: "http://nowhere.example.com/"))
        // Much longer than abandoning a look-up may take, and shorter than the look-up.
        let patient = HTTPTimeouts.forTests { $0.total = .seconds(20) }
        let failure = await failure {
          _ = try await exchange.transport.send(
            HTTPRequest(.get, nowhere, timeouts: .forTests { $0.connect = .milliseconds(300) }))
        }
        #expect(failure == .timedOut(.connect))
        #expect(try await exchange.body(timeouts: patient) == "alive")

        let task = Task(executorPreference: resolver) {
          try await exchange.transport.send(
            HTTPRequest(.get, nowhere, timeouts: .forTests { $0.connect = .seconds(60) }))
        }
        #expect(try await exchange.body(timeouts: patient) == "alive")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await exchange.body(timeouts: patient) == "alive")
      }
    }
  }
}

/// A thread, inherited by all that it starts, with a name server that never answers.
private final class SilentResolver: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
  }

  private let state = Guarded(State())
  private let arrivals = DispatchSemaphore(value: 0)

  /// True if this process may create a separate mount namespace for a thread.
  static let isPossible: Bool = {
    let isDone = DispatchSemaphore(value: 0)
    let result = Guarded(false)
    Thread.detachNewThread {
      let isSeparate = SilentResolver.separate()
      result.withLock { $0 = isSeparate }
      isDone.signal()
    }
    isDone.wait()
    return result.withLock { $0 }
  }()

  init() throws {
    setenv("RES_OPTIONS", "timeout:30 attempts:3", 1)
    let address = "127.9.9.9"
    try Self.listenSilently(at: address)
    let file = FileManager.default.temporaryDirectory.appending(path: "resolv-\(UUID().uuidString)")
    try Data("nameserver \(address)\n".utf8).write(to: file)
    Thread.detachNewThread { [self] in
      guard Self.separate(), Self.mount(file.path, over: "/etc/resolv.conf") else { return }
      try? FileManager.default.removeItem(at: file)
      while true {
        arrivals.wait()
        let job = state.withLock { $0.jobs.removeFirst() }
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    arrivals.signal()
  }

  private static func listenSilently(at text: String) throws {
    let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    address.sin_addr.s_addr = inet_addr(text)
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isBound)
  }

  // The module of the C library does not export these two.
  private typealias Unshare = @convention(c) (Int32) -> Int32
  private typealias Mount =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt,
      UnsafeRawPointer?
    ) -> Int32

  /// Moves this thread into a separate mount namespace.
  private static func separate() -> Bool {
    guard let unshare = dlsym(nil, "unshare"), let mount = dlsym(nil, "mount") else { return false }
    let newFiles: Int32 = 0x20000
    let privately: UInt = 0x44000
    return unsafeBitCast(unshare, to: Unshare.self)(newFiles) == 0
      && unsafeBitCast(mount, to: Mount.self)("none", "/", nil, privately, nil) == 0
  }

  private static func mount(_ file: String, over other: String) -> Bool {
    guard let mount = dlsym(nil, "mount") else { return false }
    let bind: UInt = 0x1000
    return unsafeBitCast(mount, to: Mount.self)(file, other, nil, bind, nil) == 0
  }
}
