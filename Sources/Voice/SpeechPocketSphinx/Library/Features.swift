/// The input of the acoustic model that the library computes from audio: numbers for each frame.
struct Features {
  let values: [Float]
  let width: Int

  var frameCount: Int { width == 0 ? 0 : values.count / width }
}
