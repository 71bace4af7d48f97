/// What the library computes from sound for its acoustic model: numbers for each frame.
struct Features {
  let values: [Float]
  let width: Int

  var frameCount: Int { width == 0 ? 0 : values.count / width }
}
