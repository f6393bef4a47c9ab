import { SmartTurn } from "@trunkline/onnx"
import { endOfTurnByModel, endOfTurnByWords, type Pause, type TurnJudge, TurnModel } from "@trunkline/turn-taking"
import { Effect } from "effect"
import { type Turn, turnsIn } from "./eot-turns.js"
import { report } from "./report.js"

/** Pauses within a turn that count, in seconds, as in the metrics of eot-bench. */
const heldSpan = [0.2, 5] as const

/** Time from a pause to its words and to the answer of a model of sound, in milliseconds. */
const wordsDelay = Number(process.env["LAG"] ?? 300)
const askAfter = 200

/** A pause with the silence after which each way would end the turn there, in milliseconds. */
interface Decision {
  readonly language: string
  readonly isEnd: boolean
  readonly length: number
  readonly silence: number
  readonly words: number
  readonly model: number | null
}

const ways = ["silence", "words", "model"] as const
type Way = typeof ways[number]

/** Answer of a model for a turn at a pause. */
const completionAt = ({ sound: { rate, samples } }: Turn, judge: TurnJudge | null, seconds: number) =>
  judge === null ? Effect.succeed(null) : Effect.async<number | null>((resume) => {
    const [frame, end] = [rate / 50, Math.round((seconds + askAfter / 1_000) * rate)]
    judge.begin()
    for (let at = 0; at + frame <= end; at += frame) {
      judge.push(samples.length >= at + frame ? samples.subarray(at, at + frame) : new Float32Array(frame))
    }
    judge.ask((completion) => resume(Effect.succeed(completion)))
  })

/** Decisions at the pauses of a turn. */
const decisionsOf = (turn: Turn) =>
  Effect.scoped(Effect.gen(function*() {
    const { open } = yield* TurnModel
    const judge = yield* open({ rate: turn.sound.rate })
    const decisions: Array<Decision> = []
    for (const [index, { end, start }] of turn.spans.entries()) {
      const words = turn.words.filter((word) => word.end <= start + 0.05).map(({ text }) => text).join(" ")
      const pause: Pause = { words, spokenMillis: start * 1_000, completion: null }
      const completion = yield* completionAt(turn, judge, start)
      decisions.push({
        language: turn.language,
        isEnd: index === turn.spans.length - 1,
        length: 1_000 * (end - start),
        silence: 500,
        words: endOfTurnByWords(pause).millis,
        model: completion === null ? null : endOfTurnByModel({ ...pause, completion }).millis
      })
    }
    return decisions
  }))

/** Factors by which the silences of a way are made shorter and longer, to draw its curve. */
const factors = Array.from({ length: 81 }, (_, at) => 2 ** ((at - 40) / 10))

/** Share of pauses that were cut off, and mean delay in seconds at the ends, for a way with a factor. */
const pointOf = (decisions: ReadonlyArray<Decision>, way: Way, factor: number) => {
  const silenceOf = (decision: Decision): number => {
    const wanted = (decision[way] ?? decision.words) * factor
    return way === "silence" ? wanted : Math.max(wanted, wordsDelay)
  }
  const [shortest, longest] = heldSpan
  const held = decisions.filter(({ isEnd, length }) =>
    !isEnd && length >= shortest * 1_000 && length <= longest * 1_000
  )
  const ends = decisions.filter(({ isEnd }) => isEnd)
  return {
    cut: held.filter((decision) => silenceOf(decision) < decision.length).length / Math.max(1, held.length),
    delay: ends.reduce((sum, decision) => sum + silenceOf(decision), 0) / Math.max(1, ends.length) / 1_000
  }
}

/** The best figure of the points that keep a bound; a dash where none does. */
const bestOf = (values: ReadonlyArray<number>, format: (value: number) => string): string =>
  values.length === 0 ? "–" : format(Math.min(...values))

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const millis = (seconds: number): string => `${(1_000 * seconds).toFixed(0)} ms`

const figuresOf = (decisions: ReadonlyArray<Decision>, way: Way): string => {
  const points = factors.map((factor) => pointOf(decisions, way, factor))
  const cutsWithin = (delay: number) => points.filter((point) => point.delay <= delay).map(({ cut }) => cut)
  const delaysWithin = (cut: number) => points.filter((point) => point.cut <= cut).map(({ delay }) => delay)
  const asItIs = pointOf(decisions, way, 1)
  return [
    `cut off ${bestOf(cutsWithin(0.3), percent)} at 300 ms, ${bestOf(cutsWithin(0.6), percent)} at 600 ms`,
    `delay ${bestOf(delaysWithin(0.05), millis)} at 5 %, ${bestOf(delaysWithin(0.1), millis)} at 10 %`,
    `as it is: ${percent(asItIs.cut)} in ${millis(asItIs.delay)}`
  ].join("; ")
}

/**
 * Scores the ends of turns on the data of LiveKit's eot-bench, whose Parquet files are in the folder `DATA`: the rule by words, Smart
 * Turn with the file `MODEL` if it is given, and silence alone. Each way is drawn as a curve of pauses that were cut off against the mean delay
 * at the ends, by shorter and longer silences; `LAG` is the time that the words take, in milliseconds.
 */
export const run = async (): Promise<void> => {
  const [folder, model] = [process.env["DATA"], process.env["MODEL"]]
  if (folder === undefined) {
    console.log(
      "  left out: DATA must name a folder with the Parquet files of livekit/eot-bench-data; see docs/conversation.md"
    )
    return
  }
  const decisions: Array<Decision> = []
  const collect = Effect.gen(function*() {
    const turns = turnsIn(folder)
    for (let next = yield* Effect.promise(() => turns.next()); next.done !== true;) {
      decisions.push(...(yield* decisionsOf(next.value)))
      if (decisions.length % 1_000 < next.value.spans.length) console.log(`  ${decisions.length} pauses`)
      next = yield* Effect.promise(() => turns.next())
    }
  })
  await Effect.runPromise(model === undefined ? collect : Effect.provide(collect, SmartTurn.layer({ model })))
  for (const language of Array.from(new Set(decisions.map((decision) => decision.language))).toSorted()) {
    const mine = decisions.filter((decision) => decision.language === language)
    for (const way of ways.filter((each) => each !== "model" || model !== undefined)) {
      console.log(`  ${language.padEnd(4)} ${way.padEnd(8)} ${figuresOf(mine, way)}`)
    }
    report({
      path: `ends of turns, ${language}, ${mine.length} pauses`,
      ours: `words: ${figuresOf(mine, "words")}`,
      peer: `silence alone: ${figuresOf(mine, "silence")}`,
      ratio: model === undefined ? "" : `with Smart Turn: ${figuresOf(mine, "model")}`,
      goal: ""
    })
  }
}
