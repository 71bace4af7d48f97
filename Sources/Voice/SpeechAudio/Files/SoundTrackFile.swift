import Foundation
import SpeechConcurrency
import SpeechFiles

/// A file with the audio of one timeline, written while it is heard.
///
/// Audio may arrive a little late: the last moment is kept in memory and mixed with it. Errors of
/// the file are reported at its end, and the rest of the audio is dropped.
package final class SoundTrackFile: Sendable {
  /// The way in which the file comes into being.
  package enum Kind: Sendable {
    /// It gets its name when it is complete; see `AudioFileWriter`.
    case whole
    /// A new WAV file that grows under its own name, and can be read at any time. It states its
    /// length when it is complete, and until then that it continues to the end of the file.
    case growing
  }

  /// The audio of a part of the timeline that has no gap.
  private final class Source {
    let resampler: Guarded<Resampler>
    let format: AudioFormat
    /// The frame of the file at which the next audio is mixed in.
    var next: Int
    /// The time at which the next audio is expected.
    var end: Duration

    init(_ format: AudioFormat, to target: AudioFormat, at start: Duration) throws(AudioError) {
      resampler = Guarded(try Resampler(from: format, to: target))
      self.format = format
      next = max(0, target.frames(in: start))
      end = start
    }

    func continues(with audio: PCMBuffer, at start: Duration) -> Bool {
      format == audio.format && abs((end - start).inSeconds) < 0.001
    }
  }

  private struct State: ~Copyable {
    var format: AudioFormat?
    var writer: AudioFileWriter?
    var descriptor: Int32?
    var sources: [Int: Source] = [:]
    /// The frames that are in the file.
    var written = 0
    /// The audio after them, which may still change.
    var pending: [Int16] = []
    var failure: AudioError?
    var isOver = false
  }

  private let url: URL
  private let kind: Kind
  private let delay: Duration
  private let state: Guarded<State>

  /// Creates the track. The file is created with its first audio.
  ///
  /// - Parameters:
  ///   - format: the format of the file; `nil` for that of the first audio.
  ///   - delay: the time by which audio may be late.
  package init(_ url: URL, _ kind: Kind, format: AudioFormat? = nil, delay: Duration) {
    self.url = url
    self.kind = kind
    self.delay = delay
    state = Guarded(State(format: format))
  }

  deinit {
    state.withLock { if let descriptor = $0.descriptor { close(descriptor) } }
  }

  /// Adds audio that was heard from the given time on.
  ///
  /// - Parameter source: distinguishes sources that are heard at the same time.
  package func add(_ audio: PCMBuffer, at start: Duration, source: Int = 0) {
    change { (state) throws(AudioError) in
      guard !audio.isEmpty else { return }
      let format = state.format ?? audio.format
      state.format = format
      try open(&state, format)
      let current: Source
      if let known = state.sources[source], known.continues(with: audio, at: start) {
        current = known
      } else {
        if let last = state.sources[source] { end(last, &state) }
        current = try Source(audio.format, to: format, at: start)
        state.sources[source] = current
      }
      try fill(&state, to: current.next - format.frames(in: delay))
      let converted = try current.resampler.withLock { (resampler) throws(AudioError) in
        try resampler.process(audio)
      }
      mix(converted, of: current, &state)
      current.end = start + audio.duration
      try flush(&state, to: current.next - format.frames(in: delay))
    }
  }

  /// Writes the audio that can no longer change at the given time.
  package func advance(to time: Duration) {
    change { (state) throws(AudioError) in
      guard let format = state.format else { return }
      try flush(&state, to: format.frames(in: time - delay))
    }
  }

  /// Completes the file. A track without audio gets an empty file.
  ///
  /// - Parameter isDurable: waits until a whole file is on the disk.
  /// - Throws: the first error since the beginning.
  package func finish(isDurable: Bool) throws(AudioError) {
    change { (state) throws(AudioError) in
      let format = state.format ?? .recognition
      try open(&state, format)
      for source in state.sources.values { end(source, &state) }
      try write(&state, state.pending.count)
      try state.writer?.finish(isDurable: isDurable)
      if let descriptor = state.descriptor {
        let header = WAVHeader.bytes(
          sampleRate: format.sampleRate, dataLength: state.written * 2)
        guard pwrite(descriptor, header, header.count, 0) == header.count else {
          throw .writeFailed(path: url.path, reason: systemMessage(errno))
        }
      }
      state.isOver = true
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func change(_ body: (inout State) throws(AudioError) -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      do throws(AudioError) {
        try body(&state)
      } catch {
        state.failure = error
        state.isOver = true
        state.writer = nil
      }
    }
  }

  private func open(_ state: inout State, _ format: AudioFormat) throws(AudioError) {
    guard state.writer == nil else { return }
    switch kind {
    case .whole: state.writer = try AudioFileWriter(url, format: format)
    case .growing:
      let number = Foundation.open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard number >= 0 else {
        throw .writeFailed(path: url.path, reason: systemMessage(errno))
      }
      state.descriptor = number
      state.writer = try AudioFileWriter(descriptor: number, name: url.path, format: format)
    }
  }

  private func mix(_ audio: PCMBuffer, of source: Source, _ state: inout State) {
    // Audio that is too late is moved, because none is to be lost.
    source.next = max(source.next, state.written)
    var pending = PCMBuffer(format: audio.format)
    swap(&pending.samples, &state.pending)
    pending.mix(audio, at: source.next - state.written)
    swap(&pending.samples, &state.pending)
    source.next += audio.frameCount
  }

  /// Mixes in the audio that the source's conversion holds back.
  private func end(_ source: Source, _ state: inout State) {
    mix(source.resampler.withLock { $0.finish() }, of: source, &state)
  }

  /// Ends the sources that have nothing to add after that frame, because it would be too late.
  private func endSources(_ state: inout State, before frame: Int) {
    guard let format = state.format else { return }
    for (number, source) in state.sources where format.frames(in: source.end) < frame {
      end(source, &state)
      state.sources[number] = nil
    }
  }

  /// Writes silence up to that frame, in pieces, so that a long one takes no memory.
  private func fill(_ state: inout State, to frame: Int) throws(AudioError) {
    endSources(&state, before: frame)
    while state.written + state.pending.count < frame {
      let missing = frame - state.written - state.pending.count
      state.pending.append(contentsOf: repeatElement(0, count: min(missing, 65_536)))
      try write(&state, state.pending.count)
    }
  }

  /// Writes the audio before that frame once it is worth a call.
  private func flush(_ state: inout State, to frame: Int) throws(AudioError) {
    endSources(&state, before: frame)
    let count = min(frame - state.written, state.pending.count)
    let rate = state.format?.sampleRate ?? 0
    let least = min(Int(delay.inSeconds * Double(rate)), rate / 10)
    guard count > 0, count >= least || count == state.pending.count else { return }
    try write(&state, count)
  }

  private func write(_ state: inout State, _ count: Int) throws(AudioError) {
    guard count > 0, let format = state.format else { return }
    try state.writer?.write(PCMBuffer(samples: state.pending[..<count], format: format))
    state.pending.removeFirst(count)
    state.written += count
  }
}
