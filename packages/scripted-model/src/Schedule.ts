import type { Delta } from "@trunkline/models"
import { Chunk, Clock, Duration, Effect, Option, Stream } from "effect"

/** Speed of the scripted model. */
export interface ScriptedPace {
  /** Tokens per second. Default: all at once. */
  readonly tokensPerSecond?: number
  /** Time until the first delta. Default: none. */
  readonly firstToken?: Duration.DurationInput
}

/** Deltas emitted together, so many milliseconds after the beginning. */
interface Batch {
  readonly at: number
  readonly deltas: ReadonlyArray<Delta>
}

/** Upper bound of deltas in a batch, and the time they are gathered, in milliseconds. */
const max = { pieces: 256, gathered: 20 }

const unitsOf = (delta: Delta): number =>
  delta._tag === "ToolStart" ? delta.name.length : "text" in delta ? delta.text.length : 0

/** Emission times of an answer's deltas. */
export interface Schedule {
  readonly batches: ReadonlyArray<Batch>
  /** Time of the end, in milliseconds after the beginning. */
  readonly end: number
}

/** Spreads the deltas of an answer over its duration, by their lengths. */
export const scheduleOf = (
  deltas: ReadonlyArray<Delta>,
  tokens: number,
  { firstToken = 0, tokensPerSecond = Infinity }: ScriptedPace
): Schedule => {
  const start = Math.round(Duration.toMillis(firstToken))
  const whole = tokens / tokensPerSecond * 1_000
  const units = Math.max(1, deltas.reduce((sum, delta) => sum + unitsOf(delta), 0))
  const batches: Array<Batch & { readonly deltas: Array<Delta> }> = []
  let before = 0
  for (const delta of deltas) {
    const at = start + Math.round(whole * before / units)
    const last = batches.at(-1)
    if (last !== undefined && at - last.at < max.gathered && last.deltas.length < max.pieces) last.deltas.push(delta)
    else batches.push({ at, deltas: [delta] })
    before += unitsOf(delta)
  }
  return { batches, end: start + Math.round(whole) }
}

/** Waits until so many milliseconds after the beginning. */
const until = (beginning: number, at: number): Effect.Effect<void> =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (now) => beginning + at > now ? Effect.sleep(Duration.millis(beginning + at - now)) : Effect.void
  )

/** Emits the deltas by their schedule, and then the end of the answer. */
export const playSchedule = <E>(
  { batches, end }: Schedule,
  beginning: number,
  ending: Effect.Effect<ReadonlyArray<Delta>, E>
): Stream.Stream<Delta, E> => {
  const wait = (at: number) => at === 0 ? Effect.void : until(beginning, at)
  return Stream.unfoldChunkEffect(0, (place) => {
    if (place > batches.length) return Effect.succeedNone
    const batch = batches[place]
    const deltas = batch === undefined
      ? Effect.zipRight(wait(end), ending)
      : Effect.as(wait(batch.at), batch.deltas)
    return Effect.map(deltas, (deltas) => Option.some([Chunk.fromIterable(deltas), place + 1] as const))
  })
}
