import CPortAudio
import Dispatch
import Foundation
import SpeechAudio
import SpeechConcurrency
import Synchronization

/// The owner of PortAudio in this process.
///
/// The module's only singleton, because PortAudio is one per process: `Pa_Initialize` and
/// `Pa_Terminate` count calls and maintain a global list of devices and streams without any lock.
/// Every call of PortAudio that accesses those goes through one serial queue. Once used, PortAudio
/// stays initialised, because initialisation takes 30 ms and its libraries leak some memory each
/// time.
///
/// No thread of Swift's pool waits for PortAudio. Callers suspend, with a timeout, because a sound
/// server that hangs blocks these calls.
final class PortAudioLibrary: Sendable {
  static let shared = PortAudioLibrary()

  private struct State {
    var isInitialized = false
    /// The streams known to PortAudio, including those whose closing hangs. While there are any, it
    /// must not be terminated, and so cannot search for devices again.
    var openStreams = 0
  }

  /// The timeout for opening a device and for the list of devices.
  static let timeout = Duration.seconds(5)
  /// The time for which closing a stream may delay the next call. A lost device either closes at
  /// once or hangs.
  private static let closingTimeout = DispatchTimeInterval.seconds(2)
  private static let lostTimeout = DispatchTimeInterval.milliseconds(200)

  private let gate = DispatchQueue(label: "speechkit.portaudio")
  private let limits = DispatchQueue(label: "speechkit.portaudio.limits")
  private let state = Guarded(State())

  /// The number of streams known to PortAudio.
  var openStreams: Int { state.withLock { $0.openStreams } }

  /// Lists all devices, and searches again if no stream is open.
  func devices() async throws -> [AudioDevice] {
    try await perform("the list of devices") { [self] in
      try look(afresh: true)
      return snapshot()
    }
  }

  /// Opens and starts a stream.
  ///
  /// - Parameter afresh: true if the devices are to be searched for again first, because one was
  ///   lost.
  func open<Cell: StreamCell & ~Copyable>(
    _ request: StreamRequest<Cell>, afresh: Bool
  ) async throws -> DeviceStream<Cell> {
    try await perform(request.device.title(request.direction)) { [self] in
      let isFresh = try look(afresh: afresh)
      do {
        return try start(request)
      } catch {
        // The list may be outdated.
        guard !isFresh, try look(afresh: true) else { throw error }
        return try start(request)
      }
    }
  }

  /// Ends and closes a stream, however long that takes, and keeps its memory until then. Other
  /// calls wait for it, up to a limit.
  func close<Cell: StreamCell & ~Copyable>(
    _ stream: StreamPointer, _ memory: StreamMemory<Cell>, isLost: Bool
  ) {
    gate.async { [self] in
      let closed = DispatchSemaphore(value: 0)
      // Raised by the thread when it has finished, or by the queue when it has waited too long:
      // never by both.
      let isDecided = OnceFlag()
      // A separate thread, because these calls hang if the device does.
      Thread.detachNewThread { [self] in
        Self.awaitEnd(of: memory)
        Pa_AbortStream(stream.raw)
        if isDecided.raise() {
          remove(stream, memory)
          closed.signal()
        } else {
          gate.async { [self] in remove(stream, memory) }
        }
      }
      let timeout = isLost ? Self.lostTimeout : Self.closingTimeout
      guard closed.wait(timeout: .now() + timeout) == .timedOut, !isDecided.raise() else { return }
      // It is being removed at the moment, which must not overlap with another call.
      _ = closed.wait(timeout: .now() + timeout)
    }
  }

  /// Waits until the callback has ended its stream, which it does at its next call.
  ///
  /// PortAudio would otherwise cancel its thread at any place within the driver. A thread that hung
  /// in PulseAudio's client then left a lock held, and everything after it hung permanently. The
  /// thread is therefore given time to resume, long after the caller that closes has continued.
  private static func awaitEnd<Cell: StreamCell & ~Copyable>(of memory: StreamMemory<Cell>) {
    let limit = MonotonicClock.nanoseconds() + 30_000_000_000
    var pause: UInt32 = 1_000
    while !memory.cell.pointee.hasFinished.load(ordering: .acquiring),
      MonotonicClock.nanoseconds() < limit
    {
      usleep(pause)
      pause = min(pause + 200, 50_000)
    }
  }

  private func remove<Cell: StreamCell & ~Copyable>(
    _ stream: StreamPointer, _ memory: StreamMemory<Cell>
  ) {
    Pa_CloseStream(stream.raw)
    state.withLock { $0.openStreams -= 1 }
    withExtendedLifetime(memory) {}
  }

  /// Runs the body on the queue and waits for its result, up to a timeout.
  private func perform<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let reply = FirstResult<Value>()
    gate.async {
      // A caller that waited for a call that hung may have left.
      guard reply.isWanted else { return }
      reply.give(Result { try body() })
    }
    let seconds = Self.timeout.inSeconds
    let limit = DispatchWorkItem {
      let reason = "the sound system did not answer within \(Int(seconds)) seconds"
      reply.give(.failure(AudioError.deviceUnavailable(name: name, reason: reason)))
    }
    limits.asyncAfter(deadline: .now() + seconds, execute: limit)
    defer { limit.cancel() }
    return try await reply.value()
  }
}

// Functions that run on the queue.
extension PortAudioLibrary {
  /// Ensures that there is a list of devices, and returns true if it is current.
  @discardableResult
  private func look(afresh: Bool) throws(AudioError) -> Bool {
    let (isInitialized, isInUse) = state.withLock { ($0.isInitialized, $0.openStreams > 0) }
    if isInitialized {
      guard afresh, !isInUse else { return false }
      Pa_Terminate()
      state.withLock { $0.isInitialized = false }
    }
    speech_silence_audio_libraries()
    if let failure = PortAudioFailure(Pa_Initialize()) {
      throw .deviceUnavailable(name: "PortAudio", reason: failure.reason)
    }
    state.withLock { $0.isInitialized = true }
    return true
  }

  private func snapshot() -> [AudioDevice] {
    let input = Pa_GetDefaultInputDevice()
    let output = Pa_GetDefaultOutputDevice()
    return (0..<max(0, Pa_GetDeviceCount())).compactMap { index in
      guard let info = Pa_GetDeviceInfo(index)?.pointee else { return nil }
      let system = Pa_GetHostApiInfo(info.hostApi)?.pointee.name
      return AudioDevice(
        index: Int(index), name: info.name.map { String(cString: $0) } ?? "device \(index)",
        hostAPI: system.map { String(cString: $0) } ?? "",
        inputChannels: Int(info.maxInputChannels),
        outputChannels: Int(info.maxOutputChannels),
        defaultSampleRate: Int(info.defaultSampleRate.rounded()),
        inputLatency: .seconds(info.defaultLowInputLatency),
        outputLatency: .seconds(info.defaultLowOutputLatency),
        isDefaultInput: index == input, isDefaultOutput: index == output)
    }
  }

  private func start<Cell: StreamCell & ~Copyable>(
    _ request: StreamRequest<Cell>
  ) throws(AudioError) -> DeviceStream<Cell> {
    let device = try request.device.pick(from: snapshot(), for: request.direction)
    var refusal: PortAudioFailure?
    for rate in request.rates(of: device) {
      do {
        return try start(request, on: device, sampleRate: rate)
      } catch {
        refusal = error
        guard error.concernsRate else { break }
      }
    }
    throw .deviceUnavailable(name: device.name, reason: refusal?.reason ?? "it has no sample rate")
  }

  private func start<Cell: StreamCell & ~Copyable>(
    _ request: StreamRequest<Cell>, on device: AudioDevice, sampleRate: Int
  ) throws(PortAudioFailure) -> DeviceStream<Cell> {
    let isInput = request.direction == .input
    let slowest = max(request.latency, isInput ? device.inputLatency : device.outputLatency)
    var parameters = PaStreamParameters(
      device: PaDeviceIndex(device.index), channelCount: 1, sampleFormat: paInt16,
      suggestedLatency: slowest.inSeconds, hostApiSpecificStreamInfo: nil)
    let memory = StreamMemory(request.makeCell(sampleRate))
    var stream: UnsafeMutableRawPointer?
    let opened = withUnsafePointer(to: &parameters) { parameters in
      Pa_OpenStream(
        &stream, isInput ? parameters : nil, isInput ? nil : parameters, Double(sampleRate),
        UInt(max(1, AudioFormat(sampleRate: sampleRate).frames(in: request.period))), 0,
        request.callback, memory.cell)
    }
    if let failure = PortAudioFailure(opened) { throw failure }
    guard let stream else { throw PortAudioFailure.internalError }
    let info = Pa_GetStreamInfo(stream)?.pointee
    let latency = (isInput ? info?.inputLatency : info?.outputLatency) ?? 0
    memory.cell.pointee.latency.store(Int(latency * 1e9), ordering: .relaxed)
    Pa_SetStreamFinishedCallback(stream, request.finished)
    if let failure = PortAudioFailure(Pa_StartStream(stream)) {
      // The memory that the callback may still access has to outlive the stream.
      withExtendedLifetime(memory) { _ = Pa_CloseStream(stream) }
      throw failure
    }
    state.withLock { $0.openStreams += 1 }
    return DeviceStream(
      pointer: StreamPointer(raw: stream), memory: memory, device: device,
      format: AudioFormat(sampleRate: sampleRate), library: self)
  }
}
