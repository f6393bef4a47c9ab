/** Sample rates that the model hears, in hertz. */
export type SileroRate = 8_000 | 16_000

/** True for a rate that the model hears. */
export const isSileroRate = (rate: number): rate is SileroRate => rate === 8_000 || rate === 16_000

/** Samples of a window at a rate, 32 ms, and of the sound before it that the model hears too, 4 ms. */
export const windowSizes = (rate: SileroRate): { readonly window: number; readonly context: number } =>
  rate === 8_000 ? { window: 256, context: 32 } : { window: 512, context: 64 }

/** Sound on its way to the model, as windows of 32 ms that each begin with the 4 ms before. */
export interface SileroWindows {
  /** Samples of a window with those before it. */
  readonly size: number
  /** Remembers a frame that is not judged. */
  readonly remember: (frame: Float32Array) => void
  /** Begins with the 64 ms that end with a frame; returns their windows, one after the other. */
  readonly begin: (frame: Float32Array) => Float32Array
  /** Goes on with a frame; returns the windows that it completes, which may be none. */
  readonly goOn: (frame: Float32Array) => Float32Array
}

/** Windows before a doubtful frame: the model needs some sound to make up its mind. */
const windowsBefore = 2

/** Cuts the frames of a call at a rate into windows. */
export const makeSileroWindows = (rate: SileroRate): SileroWindows => {
  const { context, window } = windowSizes(rate)
  const size = context + window
  /** The latest sound; the end of it, `waiting` samples, was in no window yet. */
  const recent = new Float32Array(context + windowsBefore * window)
  let waiting = 0

  const remember = (frame: Float32Array): void => {
    recent.copyWithin(0, frame.length)
    recent.set(frame, recent.length - frame.length)
    waiting += frame.length
  }

  const take = (): Float32Array => {
    const count = Math.min(windowsBefore, Math.floor(waiting / window))
    const windows = new Float32Array(count * size)
    for (let index = 0; index < count; index++) {
      const from = recent.length - waiting - context
      windows.set(recent.subarray(from, from + size), index * size)
      waiting -= window
    }
    return windows
  }

  return {
    size,
    remember,
    begin: (frame) => {
      remember(frame)
      waiting = windowsBefore * window
      return take()
    },
    goOn: (frame) => {
      remember(frame)
      return take()
    }
  }
}
