/// <reference lib="dom" />

/** The base class of processors, in the scope of a worklet. */
type ProcessorClass = new() => { readonly port: MessagePort }

/** Names that the scope of a worklet has beside the language. */
interface WorkletScope {
  readonly AudioWorkletProcessor?: ProcessorClass
  readonly registerProcessor?: (name: string, processor: unknown) => void
  readonly sampleRate?: number
}

/**
 * Registers the processors of a call in the scope of an audio worklet: `trunkline-microphone` posts frames of 20 ms as 16 kHz
 * PCM, and `trunkline-speaker` plays what it is posted, and posts the names of marks once all before them was played. It
 * refers to nothing outside of itself, so that its text is a module of its own.
 */
export const registerTalk = (scope: WorkletScope): void => {
  const { AudioWorkletProcessor: Processor, registerProcessor: register, sampleRate: rate = 48_000 } = scope
  if (Processor === undefined || register === undefined) return

  const lineRate = 16_000

  /** Changes the rate of a stream by a windowed sinc, 12 zero crossings to each side, in 256 phases. */
  const makeResampler = (from: number, to: number) => {
    const cut = Math.min(1, to / from) * 0.95
    const half = Math.ceil(12 / cut)
    const phases = 256
    const kernel = Array.from(
      { length: phases + 1 },
      (_, phase) =>
        Float32Array.from({ length: 2 * half }, (__, tap) => {
          const x = tap - half + 1 - phase / phases
          const window = 0.5 + 0.5 * Math.cos(Math.PI * Math.max(-1, Math.min(1, x / half)))
          return (x === 0 ? cut : Math.sin(Math.PI * cut * x) / (Math.PI * x)) * window
        })
    )
    let history = new Float32Array(2 * half)
    /** Position of the next sample in the history. */
    let at = half - 1
    return (samples: Float32Array): Float32Array => {
      if (from === to) return samples
      const input = new Float32Array(history.length + samples.length)
      input.set(history)
      input.set(samples, history.length)
      const output: Array<number> = []
      for (; at + half < input.length; at += from / to) {
        const first = Math.floor(at)
        const taps = kernel[Math.round((at - first) * phases)] ?? new Float32Array()
        let sum = 0
        for (let tap = 0; tap < taps.length; tap++) sum += (taps[tap] ?? 0) * (input[first - half + 1 + tap] ?? 0)
        output.push(sum)
      }
      const drop = Math.max(0, Math.min(input.length, Math.floor(at) - half + 1))
      history = input.slice(drop)
      at -= drop
      return Float32Array.from(output)
    }
  }

  const frame = lineRate / 50

  class Microphone extends Processor {
    private readonly resample = makeResampler(rate, lineRate)
    private readonly pcm = new Int16Array(frame)
    private filled = 0

    process([channels]: ReadonlyArray<ReadonlyArray<Float32Array>>): boolean {
      const samples = channels?.[0]
      if (samples === undefined) return true
      for (const sample of this.resample(samples)) {
        this.pcm[this.filled++] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767)))
        if (this.filled < frame) continue
        this.filled = 0
        const copy = this.pcm.slice()
        this.port.postMessage(copy.buffer, [copy.buffer])
      }
      return true
    }
  }

  /** Sound that has to wait before it is played, in seconds: what a network is late by is not heard then. */
  const patience = 0.06

  class Speaker extends Processor {
    private resample = makeResampler(lineRate, rate)
    private queue: Array<Float32Array | string> = []
    private offset = 0
    private buffered = 0
    private waited = 0
    private isPlaying = false

    constructor() {
      super()
      this.port.onmessage = ({ data }: { readonly data: ArrayBuffer | string | null }) => {
        if (data === null) {
          this.queue = []
          this.offset = this.buffered = this.waited = 0
          this.isPlaying = false
          this.resample = makeResampler(lineRate, rate)
        } else if (typeof data === "string") this.queue.push(data)
        else {
          const sound = this.resample(Float32Array.from(new Int16Array(data), (sample) => sample / 32_768))
          this.queue.push(sound)
          this.buffered += sound.length
        }
      }
    }

    process(_: unknown, [channels]: ReadonlyArray<ReadonlyArray<Float32Array>>): boolean {
      const [out, ...others] = channels ?? []
      if (out === undefined) return true
      if (!this.isPlaying && this.queue.length > 0) {
        this.waited += out.length
        this.isPlaying = this.buffered >= patience * rate || this.waited >= patience * rate
      }
      let place = 0
      while (this.isPlaying) {
        const next = this.queue[0]
        if (next === undefined) {
          this.isPlaying = false
          this.waited = 0
        } else if (typeof next === "string") {
          this.port.postMessage(next)
          this.queue.shift()
        } else if (place === out.length) break
        else {
          const until = Math.min(next.length, this.offset + out.length - place)
          for (; this.offset < until; this.offset++, place++) out[place] = next[this.offset] ?? 0
          if (this.offset === next.length) {
            this.queue.shift()
            this.buffered -= next.length
            this.offset = 0
          }
        }
      }
      others.forEach((channel) => channel.set(out))
      return true
    }
  }

  register("trunkline-microphone", Microphone)
  register("trunkline-speaker", Speaker)
}

registerTalk(globalThis as WorkletScope)
