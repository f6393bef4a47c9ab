import { ModelTimedOut } from "@trunkline/errors"
import { type Chunk, Duration } from "effect"
import { type Delta, deltaLength } from "../Completion.js"

/** Timeouts of the phases of an answer. Only time spent waiting for the model counts, not its reader's. */
export interface AnswerTimeouts {
  /** Until the first token of a stream. */
  readonly firstToken: Duration.DurationInput
  /** Between two tokens. */
  readonly betweenTokens: Duration.DurationInput
  /** For the whole answer. */
  readonly total: Duration.DurationInput
  /**
   * Minimum rate after the first token: so many tokens in every such span, so that a trickling answer fails. A delta
   * counts as one token per four UTF-16 units of its text, and at least as one.
   */
  readonly minRate?: { readonly tokens: number; readonly per: Duration.DurationInput }
}

/** Deadline of a phase, in milliseconds spent waiting for the model, and the failure after it. */
interface End {
  readonly at: number
  readonly failure: ModelTimedOut
}

/** A common rule of thumb, precise enough for a minimum rate. */
const unitsPerToken = 4

/** Estimates the tokens in a delta. Usage and empty deltas, which keep a connection alive, have none. */
const tokensIn = (delta: Delta): number =>
  delta._tag === "Usage" || ("text" in delta && delta.text === "")
    ? 0
    : Math.max(1, Math.ceil(deltaLength(delta) / unitsPerToken))

const timeoutError = (phase: string, duration: Duration.DurationInput) =>
  new ModelTimedOut({ message: `The model ${phase} ${Duration.format(Duration.decode(duration))}` })

/** Failure of an answer that exceeds its total timeout. */
export const totalTimeout = ({ total }: AnswerTimeouts): ModelTimedOut =>
  timeoutError("did not end its answer within", total)

/** Tracks the deadlines of one answer. Times are milliseconds of one clock, passed in by the caller. */
export class AnswerTimer {
  readonly #bounds: AnswerTimeouts
  /** Milliseconds spent waiting for the model, and the start of the current wait. */
  #spent = 0
  #since: number | null = null
  /** Waiting time at which the last token arrived. */
  #lastToken: number | null = null
  #isFinished = false
  /** Waiting time at which the span of `minRate` began, and the tokens in it. */
  #spanBegan = 0
  #tokens = 0

  constructor(bounds: AnswerTimeouts) {
    this.#bounds = bounds
  }

  /** True while the model is being waited for. */
  get isWaiting(): boolean {
    return this.#since !== null
  }

  /** True once the `Finish` of the answer has arrived; other deltas may still follow. */
  get isFinished(): boolean {
    return this.#isFinished
  }

  /** Starts waiting for the model. */
  wait(now: number): void {
    this.#since = now
  }

  /** Records a chunk, and stops waiting until the next `wait`. */
  receive(chunk: Chunk.Chunk<Delta>, now: number): void {
    this.#spent = this.#elapsed(now)
    this.#since = null
    let tokens = 0
    for (const delta of chunk) {
      tokens += tokensIn(delta)
      if (delta._tag === "Finish") this.#isFinished = true
    }
    if (tokens === 0) return
    if (this.#lastToken === null) this.#spanBegan = this.#spent
    else this.#tokens += tokens
    this.#lastToken = this.#spent
  }

  /** Milliseconds until the earliest deadline that can pass, or the failure if one has passed. */
  remaining(now: number): number | ModelTimedOut {
    this.#beginSpan(now)
    const { at, failure } = this.#ends().reduce((first, end) => end.at < first.at ? end : first)
    const remaining = at - this.#elapsed(now)
    return remaining > 0 ? Math.min(remaining, this.#leftAfterFirst()) : failure
  }

  #elapsed(now: number): number {
    return this.#since === null ? this.#spent : this.#spent + now - this.#since
  }

  /** Bounds the sleep before the first token: its arrival starts phases that can end before its own timeout. */
  #leftAfterFirst(): number {
    const { betweenTokens, minRate } = this.#bounds
    if (this.#lastToken !== null) return Infinity
    return Math.max(1, Math.min(Duration.toMillis(betweenTokens), Duration.toMillis(minRate?.per ?? Infinity)))
  }

  #beginSpan(now: number): void {
    const { minRate } = this.#bounds
    if (minRate === undefined || this.#tokens < minRate.tokens) return
    const time = this.#elapsed(now)
    if (time < this.#spanBegan + Duration.toMillis(minRate.per)) return
    this.#spanBegan = time
    this.#tokens = 0
  }

  #ends(): readonly [End, ...ReadonlyArray<End>] {
    const { betweenTokens, firstToken, minRate, total } = this.#bounds
    const whole = { at: Duration.toMillis(total), failure: totalTimeout(this.#bounds) }
    if (this.#lastToken === null) {
      return [whole, {
        at: Duration.toMillis(firstToken),
        failure: timeoutError("did not begin its answer within", firstToken)
      }]
    }
    const silence = {
      at: this.#lastToken + Duration.toMillis(betweenTokens),
      failure: timeoutError("went silent in its answer for", betweenTokens)
    }
    if (minRate === undefined) return [whole, silence]
    const { per, tokens } = minRate
    const slow = {
      at: this.#spanBegan + Duration.toMillis(per),
      failure: timeoutError(`wrote less than ${tokens} tokens within`, per)
    }
    return [whole, silence, slow]
  }
}
