import { frameMillis, withoutSilence } from "@trunkline/audio"
import { BusinessTime } from "@trunkline/kernel"
import { soundOf, type SpeechFailure, type Synthesizer, Transcriber } from "@trunkline/speech"
import type { LanguageCode } from "@trunkline/spoken-text"
import {
  type AudioCaller,
  type CallBrief,
  type CallFault,
  CallHandler,
  makeSimulatedAudioLine,
  Voicing
} from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import { type AudibleCall, type AudibleTurn, gapAfter } from "./AudibleCall.js"
import { type CallerEar, makeCallerEar } from "./CallerEar.js"

/** The parts of a line, done in this order. A line without any only waits for its moment. */
export interface ScriptedAction {
  /** Words that they say. The line is done once they were said. */
  readonly say?: string
  /** Keys that they press, 100 ms apart. */
  readonly press?: string
  /** Time for which they hold the call. */
  readonly hold?: Duration.DurationInput
  /** Hangs up. */
  readonly hangUp?: boolean
}

/** The moments at which a line can happen. */
export interface CallerMoments {
  /** Time since the call was answered; at once when it is over. */
  readonly at: Duration.DurationInput
  /** Time since the line before was done; for the first one since the answer. */
  readonly after: Duration.DurationInput
  /** Time for which the agent has been silent, after it spoke since the line before was done. */
  readonly afterAgent: Duration.DurationInput
  /** Interrupts: time since the agent's first sound that began after the line before was done. */
  readonly intoAgent: Duration.DurationInput
}

/** The moment of a line: one of `at`, `after`, `afterAgent` and `intoAgent`; `after: "1 second"` without any. */
export type CallerMoment = {
  [Name in keyof CallerMoments]: {
    readonly [Other in keyof CallerMoments]?: Other extends Name ? CallerMoments[Other] : never
  }
}[keyof CallerMoments]

/**
 * One action of a scripted caller, and its moment. Lines happen one after the other: one whose moment comes before the line
 * before it is done follows at once.
 */
export type CallerLine = ScriptedAction & CallerMoment

/** A call with a scripted caller. */
export interface AudibleCallOptions {
  /** The lines of the caller. */
  readonly lines: ReadonlyArray<CallerLine>
  readonly brief: CallBrief
  /** Behaviour after the last line: silent, the default, or hangs up once both sides were silent for 5 s. */
  readonly atEnd?: "silent" | "hangUp"
  /** Sample rate of the line in hertz; default 8,000. */
  readonly rate?: number
  /** Time after which the caller hangs up in any case; default 10 minutes. */
  readonly longest?: Duration.DurationInput
  /** Language that both sides speak; default `en-IN`. */
  readonly language?: LanguageCode
}

/** Milliseconds between two keys. */
const keyMillis = 100

/** Silence of both sides before the caller hangs up at the end, in milliseconds. */
const lastSilence = 5_000

/** Silence around a stretch of sound that is transcribed with it, in frames. */
const margin = 10

/** Waits until something is so, which is looked at with every frame. */
const until = (isSo: () => boolean) => Effect.repeat(BusinessTime.sleep(frameMillis), { until: isSo })

/** Throws for an invalid time, before the call begins. */
const checkTimes = (lines: ReadonlyArray<CallerLine>): void =>
  lines.flatMap(({ after, afterAgent, at, hold, intoAgent }) => [after, afterAgent, at, hold, intoAgent])
    .forEach((time) => Duration.decode(time ?? 0))

/** A line whose words are sound. */
interface SpokenLine {
  readonly line: CallerLine
  readonly sound: Float32Array
}

/** Does the lines one after the other, and adds their words and keys to the turns. */
const follow = (
  lines: ReadonlyArray<SpokenLine>,
  { answeredAt, caller, ear, hangsUp, rate, turns }: {
    readonly caller: AudioCaller
    readonly ear: CallerEar
    readonly answeredAt: number
    readonly rate: number
    readonly turns: Array<AudibleTurn>
    readonly hangsUp: boolean
  }
): Effect.Effect<void> =>
  Effect.gen(function*() {
    const time = Effect.map(BusinessTime.now, (now) => now - answeredAt)
    let doneAt = 0
    let doneFrame = 0

    const momentOf = ({ after = "1 second", afterAgent, at, intoAgent }: CallerLine): Effect.Effect<void> => {
      if (at !== undefined) return BusinessTime.sleepUntil(answeredAt + Duration.toMillis(at))
      if (afterAgent !== undefined) {
        const least = Math.max(frameMillis, Duration.toMillis(afterAgent))
        return until(() => {
          const end = ear.stretches.at(-1)?.end ?? 0
          return end > doneFrame && (ear.frames - end) * frameMillis >= least
        })
      }
      if (intoAgent !== undefined) {
        const least = Duration.toMillis(intoAgent)
        return until(() => {
          const next = ear.stretches.find(({ first }) => first >= doneFrame)
          return next !== undefined && (ear.frames - next.first) * frameMillis >= least
        })
      }
      return BusinessTime.sleepUntil(answeredAt + doneAt + Duration.toMillis(after))
    }

    for (const { line, sound } of lines) {
      yield* momentOf(line)
      if (line.say !== undefined) {
        const from = yield* time
        const millis = sound.length * 1000 / rate
        turns.push({ role: "user", text: line.say, from, to: from + millis })
        caller.say(sound)
        yield* BusinessTime.sleep(millis)
      }
      if (line.press !== undefined) {
        const from = yield* time
        turns.push({ role: "user", text: line.press, from, to: from + (line.press.length - 1) * keyMillis })
        for (const [index, key] of [...line.press].entries()) {
          if (index > 0) yield* BusinessTime.sleep(keyMillis)
          caller.press(key)
        }
      }
      if (line.hold !== undefined) {
        const frames = Math.round(Duration.toMillis(line.hold) / frameMillis)
        caller.hold(true)
        yield* BusinessTime.sleep(frames * frameMillis)
        caller.hold(false)
        ear.skip(frames * frameMillis)
      }
      if (line.hangUp === true) yield* caller.hangUp
      ear.divide()
      doneAt = yield* time
      doneFrame = ear.frames
    }
    if (!hangsUp) return
    yield* until(() => {
      const quietFrom = Math.max(doneFrame, ear.stretches.at(-1)?.end ?? 0)
      return (ear.frames - quietFrom) * frameMillis >= lastSilence
    })
    yield* caller.hangUp
  })

/**
 * Lets the `CallHandler` hold a call with a scripted caller on a simulated line with sound: the caller speaks with the
 * `Synthesizer`, and the agent's sound that they hear is read by the `Transcriber`. All times are business time: on
 * `VirtualClock` a call takes no real time. Fails with a `SpeechFailure` when the caller's voice or the transcriber fails.
 *
 * @example
 * ```ts
 * const call = yield* runAudibleCall({
 *   brief,
 *   lines: [
 *     { say: "Are you open?", afterAgent: "500 millis" },
 *     { say: "Stop!", intoAgent: "2 seconds" },
 *     { press: "1", afterAgent: "1 second" }
 *   ],
 *   atEnd: "hangUp"
 * })
 * ```
 */
export const runAudibleCall = (
  { atEnd = "silent", brief, language = "en-IN", lines, longest = "10 minutes", rate = 8_000 }: AudibleCallOptions
): Effect.Effect<AudibleCall, CallFault | SpeechFailure, CallHandler | Synthesizer | Transcriber> =>
  Effect.gen(function*() {
    checkTimes(lines)
    const { handle } = yield* CallHandler
    const { transcribe } = yield* Transcriber
    const { legOf } = yield* Voicing
    const spokenLines = yield* Effect.forEach(lines, (line) =>
      Effect.map(
        line.say === undefined ? Effect.succeed(new Float32Array()) : soundOf(line.say, { language, rate }),
        (sound): SpokenLine => ({ line, sound: withoutSilence(sound, rate) })
      ))
    const ear = makeCallerEar()
    const { caller, line } = yield* makeSimulatedAudioLine({ rate, onHeard: ear.hear })
    const answeredAt = yield* BusinessTime.now
    const audibleTurns: Array<AudibleTurn> = []
    const script = follow(spokenLines, {
      answeredAt,
      caller,
      ear,
      hangsUp: atEnd === "hangUp",
      rate,
      turns: audibleTurns
    })
    yield* Effect.forkScoped(Effect.raceFirst(script, Effect.asVoid(caller.ended)))
    yield* Effect.forkScoped(Effect.zipRight(BusinessTime.sleep(longest), caller.hangUp))
    const report = yield* handle(yield* legOf(line, brief), brief)
    const recording = caller.recording()
    const frame = Math.round(rate * frameMillis / 1000)
    const answers = yield* Effect.forEach(ear.stretches, ({ end, first, from, to }, index) => {
      const begin = Math.max(first - margin, ear.stretches[index - 1]?.end ?? 0)
      const finish = Math.min(end + margin, ear.stretches[index + 1]?.first ?? Infinity)
      return Effect.map(
        transcribe({ rate, samples: recording.subarray(begin * frame, finish * frame) }, { language }),
        (text): AudibleTurn => ({ role: "agent", text: text.trim(), from, to })
      )
    })
    const turns = [...audibleTurns, ...answers].filter(({ text }) => text !== "").sort((one, other) =>
      one.from - other.from
    )
    return {
      report,
      turns,
      gaps: turns.flatMap((turn) => gapAfter(turn, turns) ?? []),
      heardText: turns.flatMap(({ role, text }) => role === "agent" ? [text] : []).join(" ")
    }
  }).pipe(Effect.scoped)
