import { ModelUnavailable } from "@trunkline/errors"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Context, Effect, Fiber, Layer, type Scope, Stream } from "effect"
import type { SpeechFailure } from "./Synthesizer.js"
import { Transcriber } from "./Transcriber.js"

/** A recognizer that listens to one caller. */
export interface Listening {
  /**
   * Adds sound of the caller: mono samples from -1 to 1, in order. Takes any number of them, never blocks and never throws.
   * The array may be reused afterwards. Sound that is added after the scope has closed is ignored.
   */
  readonly push: (samples: Float32Array) => void
  /** The words so far of the present turn, as they change; it ends with the scope, and may be empty. */
  readonly partials: Stream.Stream<string>
  /**
   * Ends the turn and returns its words: those of the sound since the last flush, or an empty text when nothing was said.
   * Sound that is added while a flush is under way belongs to the next turn. A flush that fails or is interrupted takes its
   * sound with it. A flush is interrupted when the scope closes.
   */
  readonly flush: Effect.Effect<string, SpeechFailure>
}

/** Seconds of a turn that are transcribed: a longer turn loses its beginning. */
const maxSeconds = 60

/** Least capacity of a store of sound, in samples: two seconds of telephone sound. */
const minCapacity = 16_000

/** Largest store that is kept for the next turn, in samples: a call whose turns are short allocates it once. */
const maxKept = 8 * minCapacity

/** Stores the newest samples up to a limit, in a ring that grows as needed. */
class NewestSamples {
  readonly #limit: number
  #ring = new Float32Array()
  #length = 0
  #next = 0
  #lost = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(samples: Float32Array): void {
    const tail = samples.length > this.#limit ? samples.subarray(samples.length - this.#limit) : samples
    this.#lost += samples.length - tail.length
    this.#grow(this.#length + tail.length)
    const space = this.#ring.length - this.#next
    if (tail.length < space) {
      this.#ring.set(tail, this.#next)
      this.#next += tail.length
    } else {
      this.#ring.set(tail.subarray(0, space), this.#next)
      this.#ring.set(tail.subarray(space), 0)
      this.#next = tail.length - space
    }
    const over = Math.max(0, this.#length + tail.length - this.#limit)
    this.#lost += over
    this.#length += tail.length - over
  }

  /** Removes and returns the samples, and the number of those lost before them. */
  take(): { readonly samples: Float32Array; readonly lost: number } {
    const samples = this.#newest(new Float32Array(this.#length))
    const lost = this.#lost
    if (this.#ring.length > maxKept) this.#ring = new Float32Array()
    this.#length = this.#next = this.#lost = 0
    return { samples, lost }
  }

  #grow(length: number): void {
    if (length <= this.#ring.length || this.#ring.length === this.#limit) return
    let capacity = Math.max(this.#ring.length, minCapacity)
    while (capacity < length) capacity *= 2
    capacity = Math.min(capacity, this.#limit)
    this.#ring = this.#newest(new Float32Array(capacity))
    this.#next = this.#length % capacity
  }

  /** Copies the samples to the start of an array. */
  #newest(target: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
    const start = this.#next - this.#length
    if (start < 0) target.set(this.#ring.subarray(this.#ring.length + start))
    target.set(this.#ring.subarray(Math.max(0, start), this.#next), Math.max(0, -start))
    return target
  }
}

/**
 * Port of a speech-to-text engine for live sound, one turn of the caller after the other.
 *
 * @example
 * ```ts
 * const { open } = yield* Listener
 * const { flush, push } = yield* open({ rate: 8_000, language: "hi-IN" })
 * push(frame)
 * const words = yield* flush
 * ```
 */
export class Listener extends Context.Tag("@trunkline/speech/Listener")<Listener, {
  /** False when no engine is set up, so that `open` always fails. Absent: true. */
  readonly available?: boolean
  /**
   * Listens to sound at a rate in hertz until the scope closes. `language` is the spoken language, or null when unknown.
   * Closing the scope ends all work.
   */
  readonly open: (
    options: { readonly rate: number; readonly language: LanguageCode | null }
  ) => Effect.Effect<Listening, SpeechFailure, Scope.Scope>
}>() {
  /**
   * Keeps the sound of a turn and transcribes it at `flush`; it has no partial words. A turn without sound is not sent to
   * the transcriber. Of a turn of more than 60 seconds the last 60 are transcribed: the older sound is dropped, and the
   * flush logs a warning with the number of seconds lost.
   */
  static readonly layerOfTranscriber: Layer.Layer<Listener, never, Transcriber> = Layer.effect(
    Listener,
    Effect.map(Transcriber, ({ available, transcribe }) => ({
      available,
      open: ({ language, rate }) =>
        Effect.gen(function*() {
          if (!available) return yield* new ModelUnavailable({ message: "No transcriber is set up", lasting: true })
          const sound = new NewestSamples(Math.round(maxSeconds * rate))
          const scope = yield* Effect.scope
          let isOpen = true
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              isOpen = false
              sound.take()
            })
          )
          const flush = Effect.suspend(() => {
            const { lost, samples } = sound.take()
            if (samples.length === 0) return Effect.succeed("")
            const words = Effect.map(transcribe({ rate, samples }, { language }), (text) => text.trim())
            const turn = lost === 0
              ? words
              : Effect.zipRight(Effect.logWarning("A turn lost its beginning; seconds lost:", lost / rate), words)
            return Effect.uninterruptibleMask((restore) =>
              Effect.flatMap(
                Effect.forkIn(restore(turn), scope),
                (fiber) => Effect.onInterrupt(restore(Fiber.join(fiber)), () => Fiber.interrupt(fiber))
              )
            )
          })
          const push = (samples: Float32Array): void => {
            if (isOpen) sound.push(samples)
          }
          return { push, partials: Stream.empty, flush }
        })
    }))
  )

  /** No engine: every opening fails with `ModelUnavailable`. */
  static readonly layerNone = Layer.succeed(Listener, {
    available: false,
    open: () => new ModelUnavailable({ message: "No listener is set up", lasting: true })
  })
}
