import { BusinessTime } from "@trunkline/kernel"
import { type EndedBy, type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Duration, Effect, Ref } from "effect"

/** One thing that the person at the other end does. */
export interface CalleeLine {
  /** What they say; absent with `press` or `hangUp` alone. */
  readonly say?: string
  /** The same in English, when it is in another language. */
  readonly english?: string
  /** English name of its language; absent: unknown. */
  readonly language?: string
  /** A key of the phone that they press instead. */
  readonly press?: string
  /** How long they wait before it. */
  readonly after?: Duration.DurationInput
  /** They cut in when they have heard this share of the agent's words, 0 to 1. */
  readonly interruptAt?: number
  /** They hang up: after speaking, or in the middle of the agent's words with `interruptAt`. */
  readonly hangUp?: boolean
}

/** How a scripted person and line behave. */
export interface ScriptedLegOptions {
  /** The pause before each line that has none of its own; default one second. */
  readonly delay?: Duration.DurationInput
  /** They hang up this long after picking up, whatever is going on. */
  readonly hangUpAfter?: Duration.DurationInput
  /** After the last line they are silent, or hang up; default `silent`. */
  readonly atEnd?: "silent" | "hangUp"
  /** How fast the agent speaks; default three. */
  readonly wordsPerSecond?: number
}

/** What happened on a scripted line, with its moment in epoch milliseconds. */
export type LegEvent =
  | { readonly _tag: "Say"; readonly at: number; readonly text: string; readonly language_name: string }
  | { readonly _tag: "Spoken"; readonly at: number; readonly heard: string }
  | { readonly _tag: "Answer"; readonly at: number; readonly text: string }
  | { readonly _tag: "Ended"; readonly at: number; readonly by: EndedBy }
  /** The agent tried to speak or to listen when the line was over. */
  | { readonly _tag: "Refused"; readonly at: number }

/** A line with a scripted person at its end. */
export interface ScriptedLeg {
  readonly leg: Leg
  /** All that happened so far, in order. */
  readonly log: Effect.Effect<ReadonlyArray<LegEvent>>
}

interface LineState {
  readonly lines: ReadonlyArray<CalleeLine>
  /** How long the person has been silent already, in milliseconds. */
  readonly waited: number
  readonly endedBy: EndedBy | null
  readonly log: ReadonlyArray<LegEvent>
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+\s*/g) ?? []

/**
 * A person who says the given lines, one whenever the agent listens, for trying out agents without a phone network. All
 * time is business time: run it on `VirtualClock` and a call takes no time at all.
 */
export const scriptedLeg = (
  lines: ReadonlyArray<string | CalleeLine>,
  options: ScriptedLegOptions = {}
): Effect.Effect<ScriptedLeg> =>
  Effect.gen(function*() {
    const { atEnd = "silent", delay = "1 second", wordsPerSecond = 3 } = options
    const state = yield* Ref.make<LineState>({
      lines: lines.map((line) => typeof line === "string" ? { say: line } : line),
      waited: 0,
      endedBy: null,
      log: []
    })
    const hangsUpAt = options.hangUpAfter === undefined
      ? Infinity
      : (yield* BusinessTime.now) + Duration.toMillis(options.hangUpAfter)

    const record = (event: (at: number) => LegEvent) =>
      Effect.gen(function*() {
        const entry = event(yield* BusinessTime.now)
        yield* Ref.update(state, (line) => ({ ...line, log: [...line.log, entry] }))
      })

    const end = (by: EndedBy) =>
      Effect.gen(function*() {
        if ((yield* Ref.get(state)).endedBy !== null) return
        yield* Ref.update(state, (line) => ({ ...line, endedBy: by }))
        yield* record((at) => ({ _tag: "Ended", by, at }))
      })

    const ended = Effect.zipRight(end("user"), Effect.fail(new LegEnded({ by: "user" })))

    const stillOn = Effect.gen(function*() {
      const { endedBy } = yield* Ref.get(state)
      if (endedBy === null) return
      yield* record((at) => ({ _tag: "Refused", at }))
      return yield* new LegEnded({ by: endedBy })
    })

    const pass = (millis: number) =>
      Effect.gen(function*() {
        const until = (yield* BusinessTime.now) + millis
        yield* BusinessTime.sleepUntil(Math.min(until, hangsUpAt))
        if (until >= hangsUpAt) return yield* ended
      })

    const say: Leg["say"] = ({ interruptible, language_name, text }) =>
      Effect.gen(function*() {
        yield* stillOn
        yield* record((at) => ({ _tag: "Say", text, language_name, at }))
        const line = (yield* Ref.get(state)).lines[0]
        const words = wordsOf(text)
        const share = interruptible || line?.hangUp === true ? line?.interruptAt ?? 1 : 1
        const count = Math.floor(words.length * Math.min(1, Math.max(0, share)))
        yield* pass(count / wordsPerSecond * 1000)
        if (count < words.length && line?.hangUp === true && line.say === undefined) return yield* ended
        const heard = words.slice(0, count).join("").trimEnd()
        yield* record((at) => ({ _tag: "Spoken", heard, at }))
        return { heard: count === words.length ? text : heard, interrupted: count < words.length }
      })

    const answer = (line: CalleeLine): Effect.Effect<Heard, LegEnded> =>
      Effect.gen(function*() {
        yield* Ref.update(state, (line) => ({ ...line, lines: line.lines.slice(1), waited: 0 }))
        const text = line.say ?? line.press
        if (text === undefined) return line.hangUp === true ? yield* ended : { _tag: "Silent" }
        yield* record((at) => ({ _tag: "Answer", text, at }))
        if (line.hangUp === true) yield* end("user")
        return line.say === undefined
          ? { _tag: "Pressed", digit: text }
          : { _tag: "Said", text, en_text: line.english ?? null, language_name: line.language ?? null }
      })

    const listen: Leg["listen"] = (silence) =>
      Effect.gen(function*() {
        yield* stillOn
        const { lines: [line], waited } = yield* Ref.get(state)
        if (line === undefined && atEnd === "hangUp") return yield* ended
        const patience = Duration.toMillis(silence)
        const usual = line?.interruptAt === undefined ? delay : 0
        const pause = line === undefined ? Infinity : Duration.toMillis(line.after ?? usual) - waited
        if (line !== undefined && pause <= patience) {
          yield* pass(pause)
          return yield* answer(line)
        }
        yield* pass(patience)
        yield* Ref.update(state, (line) => ({ ...line, waited: line.waited + patience }))
        return { _tag: "Silent" }
      })

    return {
      leg: { say, listen, hangUp: end("agent") },
      log: Effect.map(Ref.get(state), ({ log }) => log)
    }
  })
