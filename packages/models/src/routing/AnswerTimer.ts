import { ModelTimedOut } from "@trunkline/errors"
import { type Chunk, Duration } from "effect"
import { type Delta, deltaLength } from "../Completion.js"

/** How long the phases of an answer may take. Only the time that the model is waited for counts, not its reader's. */
export interface AnswerTimeouts {
  /** Until the first piece of a stream that says something. */
  readonly firstToken: Duration.DurationInput
  /** From one such piece to the next. */
  readonly betweenTokens: Duration.DurationInput
  /** For the whole answer. */
  readonly total: Duration.DurationInput
  /**
   * From the first piece on, at least so many tokens must come in every such span, so that an answer that drips does not
   * pass for one that flows. A piece counts as one token for each four UTF-16 units of its text, and as one at least.
   */
  readonly minRate?: { readonly tokens: number; readonly per: Duration.DurationInput }
}

/** Where a phase of an answer ends, in milliseconds of the model's time, and the failure of one that is late by then. */
interface End {
  readonly at: number
  readonly failure: ModelTimedOut
}

/** A common rule of thumb, good enough to tell a drip from a flow. */
const unitsPerToken = 4

/** Usage and empty pieces, which keep a connection alive, say nothing. */
const tokensIn = (delta: Delta): number =>
  delta._tag === "Usage" || ("text" in delta && delta.text === "")
    ? 0
    : Math.max(1, Math.ceil(deltaLength(delta) / unitsPerToken))

const timeoutError = (what: string, duration: Duration.DurationInput) =>
  new ModelTimedOut({ message: `The model ${what} ${Duration.format(Duration.decode(duration))}` })

/** The failure of an answer that is not whole when its time is up. */
export const totalTimeout = ({ total }: AnswerTimeouts): ModelTimedOut =>
  timeoutError("did not end its answer within", total)

/** Tells whether an answer comes in time. Knows what time it is only from who asks it: milliseconds of any one clock. */
export class AnswerTimer {
  readonly #bounds: AnswerTimeouts
  /** Milliseconds that the model was waited for, and since when it is again. */
  #spent = 0
  #since: number | null = null
  /** When the last token came, in the model's time. */
  #lastToken: number | null = null
  #isFinished = false
  /** When the span of `minRate` began, in the model's time, and how much has come in it. */
  #spanBegan = 0
  #tokens = 0

  constructor(bounds: AnswerTimeouts) {
    this.#bounds = bounds
  }

  /** Whether the model is waited for. */
  get isWaiting(): boolean {
    return this.#since !== null
  }

  /** Whether all of the answer is there, though perhaps not what may follow it. */
  get isFinished(): boolean {
    return this.#isFinished
  }

  /** The model is waited for from now on. */
  wait(now: number): void {
    this.#since = now
  }

  /** Something came, and nothing is waited for until further notice. */
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

  /** Milliseconds until the answer could be late, whatever comes meanwhile; or that it is. */
  remaining(now: number): number | ModelTimedOut {
    this.#beginSpan(now)
    const { at, failure } = this.#ends().reduce((first, end) => end.at < first.at ? end : first)
    const left = at - this.#elapsed(now)
    return left > 0 ? Math.min(left, this.#leftAfterFirst()) : failure
  }

  #elapsed(now: number): number {
    return this.#since === null ? this.#spent : this.#spent + now - this.#since
  }

  /** The first token begins phases of its own, which may be over before the time for that token would have been. */
  #leftAfterFirst(): number {
    const { betweenTokens, minRate } = this.#bounds
    if (this.#lastToken !== null) return Infinity
    return Math.max(1, Math.min(Duration.toMillis(betweenTokens), Duration.toMillis(minRate?.per ?? Infinity)))
  }

  #beginSpan(now: number): void {
    const { minRate } = this.#bounds
    if (minRate === undefined || this.#tokens < minRate.tokens) return
    const elapsed = this.#elapsed(now)
    if (elapsed < this.#spanBegan + Duration.toMillis(minRate.per)) return
    this.#spanBegan = elapsed
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
    const drip = {
      at: this.#spanBegan + Duration.toMillis(per),
      failure: timeoutError(`wrote less than ${tokens} tokens within`, per)
    }
    return [whole, silence, drip]
  }
}
