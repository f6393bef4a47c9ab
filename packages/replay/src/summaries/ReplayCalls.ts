import type { AgentCatalog } from "@trunkline/agents"
import type { AttemptId } from "@trunkline/kernel"
import { Effect, Either, Option } from "effect"
import { type CallReplay, replayCall } from "../replays/ReplayCall.js"
import type { ReplayParts } from "../replays/ReplayParts.js"
import { type CallTrace, decodeTrace, TraceUnreadable } from "../trace/CallTrace.js"
import { addReplay, emptySummary, type ReplaySummary, type SkippedReplay } from "./ReplaySummary.js"

/** Result of one of many replays. */
export type ReplayResult = CallReplay | SkippedReplay

/** Calls to replay. */
export interface CallsToReplay {
  readonly ids: Iterable<AttemptId>
  /** Finds the trace of a call; none where none was kept. */
  readonly traceOf: (id: AttemptId) => Effect.Effect<Option.Option<string>, TraceUnreadable>
  /** The agent for a trace; a reason where there is none. */
  readonly partsOf: (trace: CallTrace) => Effect.Effect<ReplayParts | string>
  /** Replays at a time; 8 by default. */
  readonly concurrency?: number
  /** Told of each result, as it comes. */
  readonly onResult?: (result: ReplayResult) => Effect.Effect<void>
  /** Sum to go on from; that of no replays by default. */
  readonly from?: ReplaySummary
}

const skip = (attempt_id: string, reason: string): SkippedReplay => ({ attempt_id, status: "skipped", reason })

/** Reads a trace that was found. */
const readFound = (foundText: Option.Option<string>): Either.Either<CallTrace, TraceUnreadable> =>
  Option.match(foundText, {
    onNone: () => Either.left(new TraceUnreadable({ reason: "there is none: it was not kept, or has been deleted" })),
    onSome: decodeTrace
  })

/**
 * Replays calls, some at a time, and adds them up. One that cannot be replayed is counted with its reason, and the others go
 * on.
 */
export const replayCalls = (
  { concurrency = 8, from = emptySummary, ids, onResult = () => Effect.void, partsOf, traceOf }: CallsToReplay
): Effect.Effect<ReplaySummary, never, AgentCatalog> =>
  Effect.gen(function*() {
    let summary = from
    const one = (id: AttemptId): Effect.Effect<ReplayResult, never, AgentCatalog> =>
      Effect.gen(function*() {
        const trace = yield* Effect.flatMap(traceOf(id), readFound)
        const parts = yield* partsOf(trace)
        return typeof parts === "string" ? skip(id, parts) : yield* replayCall(trace, parts)
      }).pipe(Effect.catchTag("TraceUnreadable", ({ message }) => Effect.succeed(skip(id, message))))
    yield* Effect.forEach(ids, (id) =>
      Effect.flatMap(one(id), (result) => {
        summary = addReplay(summary, result)
        return onResult(result)
      }), { concurrency, discard: true })
    return summary
  })
