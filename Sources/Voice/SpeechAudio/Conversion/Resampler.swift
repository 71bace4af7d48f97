import CSoxr

/// Converts audio from one sample rate to another, piece by piece.
///
/// The pieces of the result together are as long as the input and aligned with it, and they do not
/// depend on the lengths of the input's pieces. Equal rates cost nothing.
package struct Resampler: ~Copyable {
  package let inputFormat: AudioFormat
  package let outputFormat: AudioFormat

  /// The soxr handle; `nil` when the rates are equal.
  private let handle: OpaquePointer?
  private var framesIn = 0
  private var framesOut = 0

  /// - Throws: `AudioError.conversionFailed` when a rate is not in 1...768000, or one is more than
  ///   a thousand times the other.
  package init(
    from input: AudioFormat, to output: AudioFormat
  ) throws(AudioError) {
    for rate in [input.sampleRate, output.sampleRate] where !(1...768_000 ~= rate) {
      throw .conversionFailed(reason: "\(rate) is not a valid sample rate; use 1 to 768000")
    }
    // At such ratios soxr's filters take seconds, and some of them never end.
    let (low, high) = (
      min(input.sampleRate, output.sampleRate), max(input.sampleRate, output.sampleRate)
    )
    guard high <= low * 1_000 else {
      throw .conversionFailed(reason: "\(low) and \(high) Hz are too far apart")
    }
    handle = input == output ? nil : try Self.makeHandle(from: input, to: output)
    inputFormat = input
    outputFormat = output
  }

  deinit {
    if let handle { soxr_delete(handle) }
  }

  /// Converts the next piece and returns the output that is ready: the filter looks ahead a few
  /// milliseconds.
  ///
  /// - Throws: `AudioError.conversionFailed` when the piece is not of the input format.
  package mutating func process(_ buffer: PCMBuffer) throws(AudioError) -> PCMBuffer {
    guard buffer.format == inputFormat else {
      throw .conversionFailed(
        reason: "audio of \(buffer.format.sampleRate) Hz was passed to a conversion from "
          + "\(inputFormat.sampleRate) Hz")
    }
    guard let handle else { return buffer }
    framesIn += buffer.frameCount
    var result: [Int16] = []
    var start = 0
    // In pieces, so that extreme ratios do not allocate all of the result's memory at once.
    while start < buffer.frameCount {
      let end = min(start + 65_536, buffer.frameCount)
      let failure = buffer.samples[start..<end].withUnsafeBufferPointer {
        Self.run(handle, $0, room: room(forInput: end - start), into: &result)
      }
      if let failure { throw .conversionFailed(reason: failure) }
      start = end
    }
    framesOut += result.count
    return PCMBuffer(samples: result, format: outputFormat)
  }

  /// Returns the rest of the output. Another input may begin after it.
  package mutating func finish() -> PCMBuffer {
    guard let handle else { return PCMBuffer(format: outputFormat) }
    let total =
      (framesIn * outputFormat.sampleRate + inputFormat.sampleRate / 2) / inputFormat.sampleRate
    var rest: [Int16] = []
    _ = Self.run(handle, nil, room: max(1, total - framesOut), into: &rest)
    // The last frame may be rounded either way, but the length is guaranteed.
    let missing = max(0, total - framesOut)
    if rest.count > missing { rest.removeLast(rest.count - missing) }
    rest.append(contentsOf: repeatElement(0, count: missing - rest.count))
    soxr_clear(handle)
    framesIn = 0
    framesOut = 0
    return PCMBuffer(samples: rest, format: outputFormat)
  }

  private static func makeHandle(
    from input: AudioFormat, to output: AudioFormat
  ) throws(AudioError) -> OpaquePointer {
    var failure: soxr_error_t?
    var samples = soxr_io_spec(SOXR_INT16_I, SOXR_INT16_I)
    // Dither is noise that differs from run to run, and equal input must give equal output.
    samples.flags = UInt(SOXR_NO_DITHER)
    // 20 bit: its errors are inaudible. A lower quality would not be cheaper: a second of 48 kHz
    // costs 0.27 ms with any of soxr's qualities up to this one.
    var filter = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    let handle = soxr_create(
      Double(input.sampleRate), Double(output.sampleRate), 1, &failure, &samples, &filter, nil)
    guard let handle else {
      throw .conversionFailed(reason: failure.map { String(cString: $0) } ?? "no memory")
    }
    return handle
  }

  private func room(forInput frames: Int) -> Int {
    min(frames * outputFormat.sampleRate / inputFormat.sampleRate + 64, 1 << 20)
  }

  /// Feeds the input, or flushes if there is none, until there is no more output.
  private static func run(
    _ handle: OpaquePointer, _ input: UnsafeBufferPointer<Int16>?, room: Int,
    into result: inout [Int16]
  ) -> String? {
    var used = 0
    while true {
      var taken = 0
      var given = 0
      var failure: soxr_error_t?
      let rest = input.map { UnsafeBufferPointer(rebasing: $0[used...]) }
      let piece = [Int16](unsafeUninitializedCapacity: room) { buffer, count in
        failure = soxr_process(
          handle, rest?.baseAddress, rest?.count ?? 0, &taken, buffer.baseAddress, room, &given)
        count = given
      }
      if let failure { return String(cString: failure) }
      result += piece
      used += taken
      if given < room, used == input?.count ?? 0 { return nil }
      // Without progress the loop would never end.
      if taken == 0, given == 0 { return "the converter stopped" }
    }
  }
}

extension PCMBuffer {
  /// Returns the audio at another sample rate.
  ///
  /// - Throws: `AudioError.conversionFailed` when a rate is not in 1...768000, or one is more than
  ///   a thousand times the other.
  public func resampled(to format: AudioFormat) throws(AudioError) -> PCMBuffer {
    var resampler = try Resampler(from: self.format, to: format)
    var result = try resampler.process(self)
    result.append(resampler.finish())
    return result
  }
}
