/** Discrete cosine transform of type IV; `size` is the number of values, a power of two. */
const makeCosineTransform = (size: number): (values: Float32Array) => Float32Array => {
  const half = size / 2
  const width = Math.log2(half)
  const rotation = (angle: number) => [Math.cos(angle), Math.sin(angle)] as const
  const twists = Array.from({ length: half }, (_, at) => rotation(-Math.PI * (at + 1 / 8) / size))
  const roots = Array.from({ length: half / 2 }, (_, at) => rotation(-2 * Math.PI * at / half))
  const [twistReal, twistImaginary] = [Float64Array.from(twists, ([x]) => x), Float64Array.from(twists, ([, y]) => y)]
  const [rootReal, rootImaginary] = [Float64Array.from(roots, ([x]) => x), Float64Array.from(roots, ([, y]) => y)]
  const reversedNumbers = Uint16Array.from({ length: half }, (_, at) => {
    let place = 0
    for (let bit = 0; bit < width; bit++) place |= ((at >> bit) & 1) << (width - 1 - bit)
    return place
  })
  const real = new Float64Array(half)
  const imaginary = new Float64Array(half)

  const twist = (at: number, x: number, y: number): readonly [number, number] => {
    const [c, s] = [twistReal[at] ?? 0, twistImaginary[at] ?? 0]
    return [x * c - y * s, x * s + y * c]
  }

  return (values) => {
    for (let at = 0; at < half; at++) {
      const [x, y] = twist(at, values[2 * at] ?? 0, values[size - 1 - 2 * at] ?? 0)
      const place = reversedNumbers[at] ?? 0
      real[place] = x
      imaginary[place] = y
    }
    for (let length = 2; length <= half; length *= 2) {
      const step = half / length
      for (let first = 0; first < half; first += length) {
        for (let at = 0; at < length / 2; at++) {
          const [one, other] = [first + at, first + at + length / 2]
          const [c, s] = [rootReal[at * step] ?? 0, rootImaginary[at * step] ?? 0]
          const [x, y] = [real[other] ?? 0, imaginary[other] ?? 0]
          const [turnedX, turnedY] = [x * c - y * s, x * s + y * c]
          const [stillX, stillY] = [real[one] ?? 0, imaginary[one] ?? 0]
          real[one] = stillX + turnedX
          imaginary[one] = stillY + turnedY
          real[other] = stillX - turnedX
          imaginary[other] = stillY - turnedY
        }
      }
    }
    const result = new Float32Array(size)
    for (let at = 0; at < half; at++) {
      const [x, y] = twist(at, real[at] ?? 0, imaginary[at] ?? 0)
      result[2 * at] = x
      result[size - 1 - 2 * at] = -y
    }
    return result
  }
}

/**
 * Inverse modified discrete cosine transform: gives twice as many samples as values, which overlap with those of the
 * windows before and after. `size` is the number of values, a power of two.
 */
export const makeImdct = (size: number): (values: Float32Array) => Float32Array => {
  const transform = makeCosineTransform(size)
  return (values) => {
    const foldedSamples = transform(values)
    const samples = new Float32Array(2 * size)
    for (let at = 0; at < size / 2; at++) {
      samples[at] = foldedSamples[size / 2 + at] ?? 0
      samples[size - 1 - at] = -(foldedSamples[size / 2 + at] ?? 0)
      samples[size + at] = -(foldedSamples[size / 2 - 1 - at] ?? 0)
      samples[2 * size - 1 - at] = -(foldedSamples[size / 2 - 1 - at] ?? 0)
    }
    return samples
  }
}
