import CPortAudio
import Foundation
import SpeechAudio

// Functions that PortAudio calls on its own thread, and that must never block: they copy, update
// counters and return. They do not allocate, lock, log or start tasks. The context is a raw pointer
// to a cell instead of an object, so that no references are counted.

/// Receives audio of the microphone.
func captureCallback(
  _ input: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer?, _ frameCount: UInt,
  _ time: UnsafePointer<PaStreamCallbackTimeInfo>?, _ flags: PaStreamCallbackFlags,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  guard let cell = context?.assumingMemoryBound(to: CaptureCell.self) else { return paEnd }
  let frames = Int(bitPattern: frameCount)
  if let input {
    let samples = UnsafeBufferPointer(
      start: input.assumingMemoryBound(to: Int16.self), count: frames)
    let written = cell.pointee.ring.write(samples)
    if written < frames {
      cell.pointee.dropped.wrappingAdd(frames - written, ordering: .releasing)
    }
    cell.pointee.delivered.wrappingAdd(frames, ordering: .releasing)
  }
  return cell.pointee.shallEnd.load(ordering: .relaxed) ? paEnd : paResume
}

/// Provides audio for the loudspeaker, and silence if there is none.
func playbackCallback(
  _ input: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer?, _ frameCount: UInt,
  _ time: UnsafePointer<PaStreamCallbackTimeInfo>?, _ flags: PaStreamCallbackFlags,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  guard let cell = context?.assumingMemoryBound(to: PlaybackCell.self), let output else {
    return paEnd
  }
  let frames = Int(bitPattern: frameCount)
  let samples = output.assumingMemoryBound(to: Int16.self)
  var filled = 0
  if !cell.pointee.isHeld.load(ordering: .acquiring) {
    let before = cell.pointee.ring.totalRead
    if cell.pointee.ring.count > 0 {
      var delay = 0.0
      if let time { delay = time.pointee.outputBufferDacTime - time.pointee.currentTime }
      // Some drivers report implausible times.
      if !(delay > 0 && delay < 5) {
        delay = Double(cell.pointee.latency.load(ordering: .relaxed)) / 1e9
      }
      let lead = delay - Double(before) / Double(cell.pointee.sampleRate)
      cell.pointee.origin.store(
        MonotonicClock.nanoseconds() + Int(lead * 1e9), ordering: .releasing)
      filled = cell.pointee.ring.read(
        into: UnsafeMutableBufferPointer(start: samples, count: frames))
      let silence = cell.pointee.starved.exchange(0, ordering: .relaxed)
      if silence > 0 {
        cell.pointee.lostFrames.wrappingAdd(silence, ordering: .relaxed)
        cell.pointee.dropouts.wrappingAdd(1, ordering: .relaxed)
      }
    }
    // Silence before the first audio is not a loss.
    if filled < frames && (filled > 0 || before > 0) {
      cell.pointee.starved.wrappingAdd(frames - filled, ordering: .relaxed)
    }
  }
  if filled < frames { (samples + filled).update(repeating: 0, count: frames - filled) }
  cell.pointee.callbacks.wrappingAdd(1, ordering: .releasing)
  return cell.pointee.shallEnd.load(ordering: .relaxed) ? paEnd : paResume
}

/// Records that the microphone's stream has ended.
func captureFinished(_ context: UnsafeMutableRawPointer?) {
  context?.assumingMemoryBound(to: CaptureCell.self).pointee.hasFinished
    .store(true, ordering: .releasing)
}

/// Records that the loudspeaker's stream has ended.
func playbackFinished(_ context: UnsafeMutableRawPointer?) {
  context?.assumingMemoryBound(to: PlaybackCell.self).pointee.hasFinished
    .store(true, ordering: .releasing)
}

// `paContinue` and `paAbort` as the callback's result type. They are computed, because a stored
// global may be initialised at its first use, under a lock.
private var paResume: CInt { 0 }
private var paEnd: CInt { 2 }

/// The monotonic clock, in nanoseconds.
enum MonotonicClock {
  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
