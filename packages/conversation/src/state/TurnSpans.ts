import { isTraced, withParent } from "@trunkline/kernel"
import type { TurnTimings } from "@trunkline/telephony"
import { type Clock, Effect, Exit, type Tracer } from "effect"
import type { CallState, Step } from "./CallState.js"

/** Spans of the turns of a call: each lasts from the words of the caller until the agent listens again. */
export interface TurnSpans {
  /** Runs the command of a step within the span of its turn. */
  readonly within: <A, E>(step: Step, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Ends the open span, if there is one. */
  readonly end: (state: CallState) => void
}

const noSpans: TurnSpans = { within: (_, work) => work, end: () => {} }

/** A span with the part of the call that was there before it. */
interface OpenTurn {
  readonly span: Tracer.Span
  readonly turns: number
  readonly waits: number
}

const steps = ["words_at", "first_token_at", "first_clause_at", "first_sound_at"] as const

/** Milliseconds from the last voice of the caller to the steps of the answer, as the record of the call has their moments. */
const latencies = ({ ended_at, ...moments }: TurnTimings): ReadonlyArray<readonly [name: string, millis: number]> =>
  steps.flatMap((step) => {
    const at = moments[step]
    return at === null || ended_at === null ? [] : [[`trunkline.turn.${step.replace(/_at$/u, "_ms")}`, at - ended_at]]
  })

const isAnswer = ({ command: { _tag } }: Step): boolean => _tag === "Say" || _tag === "Think" || _tag === "UseTools"

const trace = (clock: Clock.Clock): TurnSpans => {
  let open: OpenTurn | null = null
  let count = 0

  const end = (state: CallState): void => {
    if (open === null) return
    const { span, turns, waits } = open
    open = null
    const newTurns = state.turns.slice(turns)
    const timings = newTurns.findLast(({ timings }) => timings !== undefined)?.timings
    const wait = state.agentWaits.slice(waits).at(-1)
    if (timings !== undefined) latencies(timings).forEach(([name, millis]) => span.attribute(name, millis))
    if (wait !== undefined) span.attribute("trunkline.turn.answer_ms", wait)
    if (state.fault !== null) span.attribute("error.type", "fault")
    span.end(clock.unsafeCurrentTimeNanos(), Exit.void)
  }

  const begin = ({ state }: Step): Effect.Effect<Tracer.Span> => {
    count += 1
    const options = { captureStackTrace: false, attributes: { "trunkline.turn.number": count } }
    return Effect.map(Effect.makeSpan("turn", options), (span) => {
      open = { span, turns: state.turns.length, waits: state.agentWaits.length }
      return span
    })
  }

  return {
    within: (step, work) =>
      Effect.suspend(() => {
        if (!isAnswer(step)) {
          end(step.state)
          return work
        }
        const turn = open === null ? begin(step) : Effect.succeed(open.span)
        return Effect.flatMap(turn, (span) => withParent(span)(work))
      }),
    end
  }
}

/** Makes the spans of a call; none where nothing reads them. */
export const makeTurnSpans: Effect.Effect<TurnSpans> = Effect.withFiberRuntime((fiber) =>
  isTraced(fiber) ? Effect.map(Effect.clock, trace) : Effect.succeed(noSpans)
)
