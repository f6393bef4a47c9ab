import { fillTemplate, wordingIn } from "@trunkline/agents"
import { BusinessTime } from "@trunkline/kernel"
import {
  appendDelta,
  type Delta,
  emptyCompletion,
  type Model,
  type ModelFailure,
  type ModelRequest
} from "@trunkline/models"
import { languageCodeOf, makeClauseCutter } from "@trunkline/spoken-text"
import type { Leg, LegEnded } from "@trunkline/telephony"
import { Cause, Duration, Effect, Exit, Fiber, Mailbox, Stream } from "effect"
import { type CallPlan, type CallState, currentVariables, type Reply } from "./CallState.js"
import { phrases } from "./Phrases.js"

/** The parts of a conversation that a reply needs. */
interface ReplyParts {
  readonly plan: CallPlan
  readonly leg: Leg
  readonly model: Model
}

/** Longest reply in UTF-16 units: a model that never ends is interrupted. */
const LONGEST_REPLY = 2_000

/** Time without a clause after which the agent says that it needs a moment. */
const FILLER_AFTER = Duration.seconds(6)

const markup: ReadonlyArray<readonly [RegExp, string]> = [
  [/<\/?[a-z][^<>]*>/giu, ""],
  [/!?\[([^\]]*)\]\([^()\s]*\)/gu, "$1"],
  [/^\s*(?:#{1,6}|[-*+>])\s+/gmu, ""],
  [/[*_`~|#]+/gu, ""]
]

/** A clause without Markdown and HTML. */
const withoutMarkup = (clause: string): string =>
  markup.reduce((text, [pattern, plain]) => text.replace(pattern, plain), clause).replace(/\s+/gu, " ").trim()

/**
 * Asks the model and speaks its text clause by clause while it writes. Reasoning, markup and tool calls are not spoken.
 * When the caller interrupts, the model is interrupted too. Fails when the model fails before its first clause, or when a
 * delta takes longer than the timeout of the plan.
 */
export const speakReply = (
  { leg, model, plan }: ReplyParts,
  state: CallState,
  request: ModelRequest
): Effect.Effect<Reply, LegEnded | ModelFailure | Cause.TimeoutException> =>
  Effect.gen(function*() {
    const clauses = yield* Mailbox.make<string>()
    const begun = yield* Effect.makeLatch(false)
    const cutter = makeClauseCutter(languageCodeOf(state.language) ?? "en-IN")
    const variables = currentVariables(plan, state)
    let completion = emptyCompletion
    let isComplete = false
    const spokenClauses: Array<string> = []
    let fillers = 0
    let firstTokenAt: number | null = null
    let firstClauseAt: number | null = null

    const give = (texts: ReadonlyArray<string>, now: number): void => {
      for (const text of texts) {
        const clause = withoutMarkup(fillTemplate(text, variables))
        if (!/[\p{L}\p{N}]/u.test(clause)) continue
        firstClauseAt ??= now
        spokenClauses.push(clause)
        clauses.unsafeOffer(clause)
        begun.unsafeOpen()
      }
    }

    const shorten = (delta: Delta): Delta =>
      delta._tag === "Text" ? { ...delta, text: delta.text.slice(0, LONGEST_REPLY - completion.text.length) } : delta

    const onDelta = (written: Delta): Effect.Effect<void> =>
      Effect.map(BusinessTime.now, (now) => {
        const delta = shorten(written)
        completion = appendDelta(completion, delta)
        if (delta._tag === "Finish") isComplete = true
        if (delta._tag !== "Text") return
        firstTokenAt ??= now
        give(cutter.push(delta.text), now)
      })

    const writing = model.stream(request).pipe(
      Stream.timeoutFail(() => new Cause.TimeoutException(), plan.options.timeout),
      Stream.mapEffect(onDelta),
      Stream.takeUntil(() => completion.text.length >= LONGEST_REPLY),
      Stream.runDrain,
      Effect.zipRight(BusinessTime.now),
      Effect.map((now) => give(cutter.end(), now)),
      Effect.ensuring(Effect.zipRight(clauses.end, begun.open))
    )

    const fill = Effect.gen(function*() {
      yield* BusinessTime.sleep(FILLER_AFTER)
      const { text } = wordingIn(phrases.moment, [state.language, ...plan.version.languages])
      if (firstClauseAt !== null) return
      give([text], yield* BusinessTime.now)
      fillers = spokenClauses.length
    })

    const modelFiber = yield* Effect.forkScoped(writing)
    yield* Effect.raceFirst(begun.await, Effect.zipRight(fill, begun.await))
    const isSilent = spokenClauses.length === 0
    if (isSilent) yield* Fiber.join(modelFiber)
    const spoken = isSilent ? null : yield* leg.say({
      text: "",
      more: Mailbox.toStream(clauses),
      language_name: state.language,
      interruptible: true
    })
    const isCut = spoken?.interrupted === true || spoken?.failed === true
    const end = yield* isCut ? Fiber.interrupt(modelFiber) : Fiber.await(modelFiber)
    return {
      completion: isComplete ? completion : { ...completion, toolRequests: [] },
      text: spokenClauses.join(" "),
      spoken,
      isFiller: fillers > 0 && spokenClauses.length === fillers,
      failed: Exit.isFailure(end) && !Cause.isInterruptedOnly(end.cause),
      firstTokenAt,
      firstClauseAt
    } satisfies Reply
  }).pipe(Effect.scoped)
