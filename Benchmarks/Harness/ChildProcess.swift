import Foundation
import Glibc

/// The resources that a process used from start to end.
struct ProcessUsage: Sendable {
  /// User and system time of the process and its children, in seconds.
  var processorTime: Double
  var wallTime: Double
  var memory: ProcessMemory
  /// The standard output.
  var output: String
}

/// A program whose run is measured.
struct ChildProcess {
  var program: String
  var arguments: [String]
  /// The folder for its output.
  var folder: URL

  /// Runs the program. The calling thread blocks, so that nothing else runs during the measurement.
  ///
  /// - Throws: `ChildProcessError` if the program cannot be started or fails.
  func run() throws -> ProcessUsage {
    let output = folder.appendingPathComponent("stdout-\(UUID().uuidString)").path
    let errors = folder.appendingPathComponent("stderr-\(UUID().uuidString)").path
    defer {
      unlink(output)
      unlink(errors)
    }
    let start = ContinuousClock.now
    let process = try spawn(output: output, errors: errors)
    var usage = rusage()
    var status: Int32 = 0
    var memory = ProcessMemory()
    while true {
      let reaped = wait4(process, &status, WNOHANG, &usage)
      if reaped == process { break }
      guard reaped == 0 || errno == EINTR else { throw failure("was lost", errors) }
      memory.note(process)
      usleep(5_000)
    }
    let wall = start.duration(to: .now)
    guard status == 0 else {
      throw failure("ended with status \(status >> 8 & 0xff), signal \(status & 0x7f)", errors)
    }
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return ProcessUsage(
      processorTime: usage.processorTime, wallTime: wall / .seconds(1), memory: memory,
      output: text)
  }

  private func spawn(output: String, errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o600)
    var copies: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    copies.append(nil)
    defer { for copy in copies { free(copy) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, nil, copies, environ)
    guard code == 0 else {
      throw ChildProcessError(
        "“\(program)” cannot be started: \(String(cString: strerror(code))). Scripts/install "
          + "installs it.")
    }
    return process
  }

  private func failure(_ what: String, _ errors: String) -> ChildProcessError {
    let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    return ChildProcessError("“\(program)” \(what). \(said.suffix(400))")
  }
}

/// The error of a measured process.
struct ChildProcessError: LocalizedError {
  let errorDescription: String?

  init(_ description: String) { errorDescription = description }
}

extension rusage {
  /// User and system time, in seconds.
  var processorTime: Double {
    Double(ru_utime.tv_sec + ru_stime.tv_sec) + Double(ru_utime.tv_usec + ru_stime.tv_usec) / 1e6
  }

  /// The resources that this process has used so far.
  static var ofThisProcess: rusage {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage
  }
}
