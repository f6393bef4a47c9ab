/** Length of a transform, and its factors; 400 samples are a window of Whisper's features, 25 ms at 16 kHz. */
export const transformSize = 400
const factors = [4, 4, 5, 5] as const

/** Cosines and negative sines of every angle of the transform. */
const cosines = Float64Array.from({ length: transformSize }, (_, at) => Math.cos(2 * Math.PI * at / transformSize))
const sines = Float64Array.from({ length: transformSize }, (_, at) => -Math.sin(2 * Math.PI * at / transformSize))

/** A discrete Fourier transform of 400 complex values in place, with room of its own for the steps between. */
export interface FourierTransform {
  readonly real: Float64Array
  readonly imaginary: Float64Array
  /** Transforms `real` and `imaginary`. */
  readonly run: () => void
}

/**
 * Makes a transform by mixed radices, in the self-sorting order of Stockham (in Cochran et al., "What is the fast Fourier
 * transform?", 1967): after each factor, the values lie in the order of the next. Libraries of transforms take powers of two only.
 */
export const makeFourierTransform = (): FourierTransform => {
  const real = new Float64Array(transformSize)
  const imaginary = new Float64Array(transformSize)
  let [fromReal, fromImaginary] = [real, imaginary]
  let [toReal, toImaginary] = [new Float64Array(transformSize), new Float64Array(transformSize)]

  /** One step: `count` transforms of the length `factor`, for `stride` interleaved parts. */
  const step = (factor: number, count: number, stride: number): void => {
    const turn = transformSize / factor
    for (let k = 0; k < count; k++) {
      for (let row = 0; row < factor; row++) {
        const twiddle = k * row * stride
        const cosine = cosines[twiddle] ?? 0
        const sine = sines[twiddle] ?? 0
        for (let q = 0; q < stride; q++) {
          let [sumReal, sumImaginary] = [0, 0]
          for (let column = 0; column < factor; column++) {
            const at = q + stride * (k + count * column)
            const angle = (turn * column * row) % transformSize
            const [x, y] = [fromReal[at] ?? 0, fromImaginary[at] ?? 0]
            const [c, s] = [cosines[angle] ?? 0, sines[angle] ?? 0]
            sumReal += x * c - y * s
            sumImaginary += x * s + y * c
          }
          const at = q + stride * (factor * k + row)
          toReal[at] = sumReal * cosine - sumImaginary * sine
          toImaginary[at] = sumReal * sine + sumImaginary * cosine
        }
      }
    }
    ;[fromReal, toReal] = [toReal, fromReal]
    ;[fromImaginary, toImaginary] = [toImaginary, fromImaginary]
  }

  return {
    real,
    imaginary,
    run: () => {
      let [length, stride] = [transformSize, 1]
      for (const factor of factors) {
        step(factor, length / factor, stride)
        length /= factor
        stride *= factor
      }
    }
  }
}
