import { BusinessTime, FaultPoints } from "@trunkline/kernel"
import { Deferred, Duration, Effect, Option } from "effect"
import type { Attempt } from "../Attempt.js"
import type { CallSight, Sought } from "../Carrier.js"
import { type Dedupe, DEFAULT_SETTLE } from "../Dedupe.js"
import { CallEvents } from "../events/CallEvents.js"
import { CallLimitsOption, GRACE } from "./CallLimits.js"
import { type CallOutcome, notConnected } from "./CallOutcome.js"
import { type DialledLine, interrupted, type makeDialling, unanswered } from "./Dialling.js"
import { makeLookups } from "./Lookups.js"
import { briefly } from "./Patience.js"
import type { Recovered, RecoverOptions } from "./Placement.js"

/** A key counts as too old so long before its time, for the request that still has to arrive. */
const KEY_MARGIN = Duration.seconds(30)

/** A key is used so often against refusals; against silence, for as long as it lasts. */
const REFUSALS = 5

/** Milliseconds of technical time between uses of a key, doubling to the longest. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/**
 * How long a provider that cannot be asked is asked on about a dial that it may have taken, in business time. A dial of
 * our own holds a line meanwhile, which others may need.
 */
const ASKED_FOR = { restart: Duration.hours(24), dial: Duration.minutes(10) }

/** Whose dial is in doubt: that of a process that is gone, or our own. */
export interface Doubt extends RecoverOptions {
  readonly after: "restart" | "dial"
}

type Seen = Exclude<CallSight, { readonly _tag: "NotFound" }>
type Question = DialledLine & { readonly attempt: Attempt } & Doubt

/**
 * What became of an attempt whose process stopped, or whose dial was not answered (reliability 1.4). Of an attempt that
 * the provider took, it says so; of one that it may have taken:
 *
 * - `Key`: placed again under the same key while that is young enough and dialling is allowed, else looked for;
 * - `Lookup`: looked for, once all that was taken can be found; what is not found then was never dialled;
 * - `None`: unknown for good.
 */
export const makeReconcile = (dialling: Effect.Effect.Success<typeof makeDialling>) =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const limits = yield* CallLimitsOption
    const faults = yield* FaultPoints
    const scope = yield* Effect.scope
    const { inTurn, look } = yield* makeLookups
    const settled = new Map<number, Deferred.Deferred<void>>()

    /** So long in technical time after the first question about another process's dials: they were all sent before. */
    const sinceRestart = (settle: Duration.Duration) =>
      Effect.suspend(() => {
        const known = settled.get(Duration.toMillis(settle))
        if (known !== undefined) return Deferred.await(known)
        return Effect.flatMap(Deferred.make<void>(), (done) => {
          settled.set(Duration.toMillis(settle), done)
          const wait = Effect.delay(Deferred.succeed(done, undefined), settle)
          return Effect.zipRight(Effect.forkIn(wait, scope), Deferred.await(done))
        })
      })

    /** Until all that was taken can be found: what another process asked for, or what we asked for just now. */
    const settle = (span: Duration.Duration, askedBy: "them" | "us") =>
      askedBy === "them" ? sinceRestart(span) : Effect.delay(Effect.void, span)

    const soughtOf = ({ attempt: { attempt_id }, connection }: Question, provider_call_id: string | null): Sought => ({
      attempt_id,
      provider_call_id,
      connection
    })

    const seen = (question: Question, provider_call_id: string | null, until: number) =>
      faults.after("recover.looked")(look(question.carrier, soughtOf(question, provider_call_id), until))

    /** What a call that there is, or was, comes to. */
    const found = (question: Question, sight: Seen): Effect.Effect<Recovered> => {
      if (sight._tag === "Over") {
        return Effect.succeed(ended(sight.result === null ? interrupted : unanswered(sight.result)))
      }
      return question.after === "restart" && sight.connected
        ? Effect.as(briefly(sight.call.cancel), ended(interrupted))
        : Effect.succeed(goesOn(dialling.follow(question.attempt, sight.call)))
    }

    /**
     * The provider took it, and said under which id. One that does not know the id is asked once more when all that it
     * took can be found: it may show a call later than it takes one, and the person is on the phone.
     */
    const byId = (question: Question, provider_call_id: string) =>
      Effect.gen(function*() {
        const { maxDuration, ringTimeout } = limits
        const longest = Duration.toMillis(ringTimeout) + Duration.toMillis(maxDuration) + 2 * Duration.toMillis(GRACE)
        const looked = seen(question, provider_call_id, question.attempt.attempted_at + longest)
        const first = yield* looked
        const isMissing = Option.exists(first, ({ _tag }) => _tag === "NotFound")
        if (isMissing) yield* settle(settleOf(question.carrier.dedupe(question.connection)), askerOf(question))
        const sight = isMissing ? yield* looked : first
        return Option.isNone(sight) || sight.value._tag === "NotFound"
          ? ended(interrupted)
          : yield* found(question, sight.value)
      })

    /** By the attempt alone; without `span`, only a call that is found proves anything. */
    const byAttempt = (question: Question, span: Duration.Duration | undefined, askedBy: "them" | "us") =>
      Effect.gen(function*() {
        yield* settle(span ?? Duration.zero, askedBy)
        const patience = span === undefined ? Duration.zero : ASKED_FOR[question.after]
        const until = (yield* BusinessTime.now) + Duration.toMillis(patience)
        const sight = yield* seen(question, null, until)
        if (Option.isNone(sight)) return ended(lost)
        if (sight.value._tag === "NotFound") return span === undefined ? ended(lost) : redial
        return yield* found(question, sight.value)
      })

    /**
     * Places it again under its key. Only a call is an answer: who refuses this request says nothing of the first one.
     */
    const byKey = (question: Question, { settle, ttl }: Extract<Dedupe, { readonly _tag: "Key" }>) =>
      Effect.gen(function*() {
        const { after, attempt, mayDial } = question
        const useless = Math.min(
          attempt.attempted_at + Duration.toMillis(ttl) - Duration.toMillis(KEY_MARGIN),
          (yield* BusinessTime.now) + Duration.toMillis(ASKED_FOR[after])
        )
        let askedBy = askerOf(question)
        let [pause, refusals] = [FIRST_PAUSE, 0]
        while (refusals < REFUSALS && (yield* BusinessTime.now) < useless) {
          askedBy = "us"
          const dialled = yield* dialling.dial(attempt, question, mayDial).pipe(
            inTurn(attempt.connection_id),
            faults.after("recover.dialled")
          )
          if (dialled._tag === "Disowned") return dialled
          if (dialled._tag === "TooLate") break
          if (dialled._tag === "Taken") return goesOn(dialling.follow(attempt, dialled.call))
          if (dialled.failure.certainty === "provider") refusals += 1
          yield* Effect.delay(Effect.void, pause)
          pause = Math.min(pause * 2, LONGEST_PAUSE)
        }
        return yield* byAttempt(question, settle, askedBy)
      })

    const ask = (question: Question): Effect.Effect<Recovered> =>
      Effect.gen(function*() {
        const { attempt, carrier, connection } = question
        const told = attempt.provider_call_id === null
          ? yield* events.callOf(carrier.provider, attempt.attempt_id)
          : Option.some(attempt.provider_call_id)
        if (Option.isSome(told)) return yield* byId(question, told.value)
        const dedupe = carrier.dedupe(connection)
        switch (dedupe._tag) {
          case "Key":
            return yield* byKey(question, dedupe)
          case "Lookup":
            return yield* byAttempt(question, dedupe.settle, askerOf(question))
          case "None":
            return ended(lost)
        }
      })

    return Effect.fn("Calls.recover")(function*(attempt: Attempt, doubt: Doubt) {
      if (attempt.state === "pending") return redial
      const line = yield* dialling.lineOf(attempt)
      if (Option.isSome(line)) return yield* ask({ ...line.value, ...doubt, attempt })
      return ended(attempt.state === "claimed" ? lost : interrupted)
    })
  })

const settleOf = (dedupe: Dedupe): Duration.Duration =>
  dedupe._tag === "None" ? DEFAULT_SETTLE : dedupe.settle ?? DEFAULT_SETTLE

const askerOf = ({ after }: Doubt) => after === "restart" ? "them" as const : "us" as const

const lost = notConnected("unknown", "unknown: the outcome of the dial cannot be known")
const redial: Recovered = { _tag: "Redial" }
const ended = (outcome: CallOutcome): Recovered => ({ _tag: "Ended", outcome })
const goesOn = (outcome: Effect.Effect<CallOutcome>): Recovered => ({ _tag: "GoesOn", outcome })
