import { fillTemplate, wordingIn } from "@trunkline/agents"
import { ModelTimedOut } from "@trunkline/errors"
import { BusinessTime, reasonOfCause, timeoutAt, toSource } from "@trunkline/kernel"
import {
  appendDelta,
  type Completion,
  type Delta,
  deltaLength,
  emptyCompletion,
  type Model,
  type ModelFailure,
  type ModelRequest
} from "@trunkline/models"
import { languageCodeOf, makeClauseCutter } from "@trunkline/spoken-text"
import { type Leg, LegEnded } from "@trunkline/telephony"
import { Cause, Duration, Effect, Exit, Fiber, type Stream } from "effect"
import { makeClauseQueue } from "./clauses/ClauseQueue.js"
import { phrases } from "./clauses/Phrases.js"
import { makeSilentParts } from "./clauses/SilentParts.js"
import { type CallPlan, type CallState, currentVariables, type Reply } from "./state/CallState.js"
import type { StepLog } from "./state/StepLog.js"

/** The parts of a conversation that a reply needs. */
interface ReplyParts {
  readonly plan: CallPlan
  readonly leg: Leg
  readonly model: Model
  /** Log of a conversation that can go on in another process. */
  readonly log?: StepLog | undefined
}

/** Longest reply in UTF-16 units: a model that never ends is interrupted. */
const maxReply = 2_000

/** Longest response in UTF-16 units, with its reasoning and tool calls: a model may also think without an end. */
const maxThought = 20_000

/** Seconds without a clause, and without hold, after which the agent says that it needs a moment. */
const fillerAfter = 6

/** Markdown with what is spoken of it. Signs that may be meant, such as those of a keypad or of a sum, stay. */
const markup: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\s*(?:#{1,6}|[-*+>])\s+/gmu, ""],
  [/`+|\*{2,}|~{2,}|_{2,}/gu, ""],
  [/\*(?=\S)([^*]+?)(?<=\S)\*(?!\d)/gu, "$1"],
  [/^\*(?=\p{L})|(?<=[\p{L}.,;:!?])\*$/gu, ""],
  [/(?<=[\p{L}\p{N}])[_|]+(?=[\p{L}\p{N}])/gu, " "],
  [/[_|]/gu, ""],
  [/(?<![^\s])-{3,}(?![^\s])/gu, ""]
]

/** A clause without Markdown; `makeSilentParts` has removed its links. */
const withoutMarkup = (clause: string): string =>
  markup.reduce((text, [pattern, plain]) => text.replace(pattern, plain), clause).replace(/\s+/gu, " ").trim()

/** A response as it is written: its deltas, and its clauses for the voice. */
interface Writing {
  /** Takes the next deltas. Returns false when the response, or the thought before it, has reached its longest length. */
  readonly take: (deltas: ReadonlyArray<Delta>, now: number) => boolean
  /** Gives a text to the voice. */
  readonly give: (texts: ReadonlyArray<string>, now: number) => void
  /** Gives the rest of the text to the voice. */
  readonly end: (now: number) => void
  readonly completion: Completion
  /** True after the model's own end. */
  readonly isComplete: boolean
  /** Texts given to the voice. */
  readonly spokenClauses: ReadonlyArray<string>
  readonly firstTokenAt: number | null
  readonly firstClauseAt: number | null
}

const makeWriting = (plan: CallPlan, state: CallState, onClause: (clause: string) => void): Writing => {
  const cutter = makeClauseCutter(languageCodeOf(state.language) ?? "en-IN")
  const silentParts = makeSilentParts()
  const variables = currentVariables(plan, state)
  let completion = emptyCompletion
  let isComplete = false
  const spokenClauses: Array<string> = []
  let firstTokenAt: number | null = null
  let firstClauseAt: number | null = null
  let spokenLength = 0
  let writtenLength = 0

  const give = (texts: ReadonlyArray<string>, now: number): void => {
    for (const text of texts) {
      const clause = withoutMarkup(fillTemplate(text, variables))
      if (!/[\p{L}\p{N}]/u.test(clause)) continue
      firstClauseAt ??= now
      spokenClauses.push(clause)
      onClause(clause)
    }
  }

  const takeOne = (delta: Delta, now: number): void => {
    completion = appendDelta(completion, delta)
    if (delta._tag === "Finish") isComplete = true
    // A delta without any text counts too, so that no model goes on for ever.
    writtenLength += deltaLength(delta) + 1
    if (delta._tag !== "Text") return
    firstTokenAt ??= now
    const spokenText = silentParts.push(delta.text).slice(0, maxReply - spokenLength)
    spokenLength += spokenText.length
    give(cutter.push(spokenText), now)
  }

  return {
    take: (deltas, now) => {
      for (const delta of deltas) {
        takeOne(delta, now)
        if (spokenLength >= maxReply || writtenLength >= maxThought) return false
      }
      return true
    },
    give,
    end: (now) => {
      give(cutter.push(silentParts.end().slice(0, maxReply - spokenLength)), now)
      give(cutter.end(), now)
    },
    spokenClauses,
    get completion() {
      return completion
    },
    get isComplete() {
      return isComplete
    },
    get firstTokenAt() {
      return firstTokenAt
    },
    get firstClauseAt() {
      return firstClauseAt
    }
  }
}

/** The failure of a model that takes longer than the timeout of the plan. */
export const modelTimedOut = () => new ModelTimedOut({ message: "The model did not answer in time" })

/** Reads deltas to their end or until `take` returns false; fails when the next ones take longer than a timeout. */
const readDeltas = (
  deltas: Stream.Stream<Delta, ModelFailure>,
  timeout: Duration.Duration,
  take: Writing["take"]
): Effect.Effect<void, ModelFailure> =>
  Effect.clockWith((clock) => {
    const { close, pull } = toSource(deltas)
    let pulledAt = clock.unsafeCurrentTimeMillis()
    const readRest: Effect.Effect<void, ModelFailure> = Effect.flatMap(pull, (chunk) => {
      if (chunk === null) return Effect.void
      if (chunk.some((delta) => deltaLength(delta) > 0)) pulledAt = clock.unsafeCurrentTimeMillis()
      return Effect.flatMap(BusinessTime.now, (now) => take(chunk, now) ? readRest : Effect.void)
    })
    const tooLate: Effect.Effect<void, ModelTimedOut> = Effect.suspend(() => {
      const remaining = pulledAt + Duration.toMillis(timeout) - clock.unsafeCurrentTimeMillis()
      return remaining <= 0 ? modelTimedOut() : Effect.zipRight(Effect.sleep(remaining), tooLate)
    })
    return Effect.raceFirst(Effect.ensuring(readRest, close), tooLate)
  })

/**
 * Asks the model and speaks its text clause by clause while it writes. Reasoning, markup and tool calls are not spoken.
 * When the caller interrupts, the model is interrupted too. Fails when the model fails before its first clause, or when a
 * delta takes longer than the timeout of the plan.
 */
export const speakReply = (
  { leg, log, model, plan }: ReplyParts,
  state: CallState,
  request: ModelRequest
): Effect.Effect<Reply, LegEnded | ModelFailure> =>
  Effect.flatMap(BusinessTime.now, (startedAt) => {
    const clauses = makeClauseQueue()
    const startLatch = Effect.unsafeMakeLatch(false)
    const writing = makeWriting(plan, state, (clause) => {
      clauses.add(clause)
      startLatch.unsafeOpen()
    })
    let fillers = 0
    const isOnlyFiller = () => fillers > 0 && writing.spokenClauses.length === fillers

    /** A response is stored before its last clause ends, so that its tools are known to a process that goes on. */
    const keepWritten = Effect.suspend(() =>
      log === undefined || !writing.isComplete || writing.spokenClauses.length === 0
        ? Effect.void
        : log.wrote(writing.completion, isOnlyFiller())
    )

    const write = readDeltas(model.stream(request), plan.options.timeout, writing.take).pipe(
      Effect.zipRight(BusinessTime.now),
      Effect.map(writing.end),
      Effect.zipRight(keepWritten),
      Effect.ensuring(Effect.sync(() => {
        clauses.end()
        startLatch.unsafeOpen()
      }))
    )

    const fill = Effect.map(BusinessTime.now, (now) => {
      const { text } = wordingIn(phrases.moment, [state.language, ...plan.version.languages])
      if (writing.firstClauseAt !== null) return
      writing.give([text], now)
      fillers = writing.spokenClauses.length
    })

    /** Waits for the first clause; asks for a moment after a number of seconds without hold. */
    const begunOrFill = (from: number, seconds: number): Effect.Effect<void> => {
      const to = from + 1_000
      const goOn = Effect.suspend(() => {
        const remainingSeconds = leg.isHeld?.() === true ? seconds : seconds - 1
        return remainingSeconds > 0 ? begunOrFill(to, remainingSeconds) : Effect.zipRight(fill, startLatch.await)
      })
      return timeoutAt(to, goOn)(startLatch.await)
    }

    /** Waits for something before the first sound; a call that ends meanwhile needs no answer. */
    const untilEnded = <A, E>(waiting: Effect.Effect<A, E>): Effect.Effect<A, E | LegEnded> =>
      leg.ended === undefined
        ? waiting
        : Effect.raceFirst(waiting, Effect.flatMap(leg.ended, (by) => new LegEnded({ by })))

    const speak = (modelFiber: Fiber.Fiber<void, ModelFailure>) =>
      Effect.gen(function*() {
        yield* untilEnded(begunOrFill(startedAt, fillerAfter))
        const isSilent = writing.spokenClauses.length === 0
        if (isSilent) yield* untilEnded(Fiber.join(modelFiber))
        const speech = isSilent ? null : yield* leg.say({
          text: "",
          more: clauses.stream,
          language_name: state.language,
          interruptible: true,
          ...(log !== undefined && { number: log.events() })
        })
        const isCut = speech?.interrupted === true || speech?.failed === true
        const end = yield* isCut ? Fiber.interrupt(modelFiber) : Fiber.await(modelFiber)
        const { completion, firstClauseAt, firstTokenAt, isComplete, spokenClauses } = writing
        return {
          completion: isComplete ? completion : { ...completion, toolRequests: [] },
          text: spokenClauses.join(" "),
          spoken: speech,
          isFiller: isOnlyFiller(),
          failure: Exit.isFailure(end) && !Cause.isInterruptedOnly(end.cause) ? reasonOfCause(end.cause) : null,
          firstTokenAt,
          firstClauseAt
        } satisfies Reply
      })

    return Effect.acquireUseRelease(Effect.fork(Effect.interruptible(write)), speak, Fiber.interrupt)
  })
