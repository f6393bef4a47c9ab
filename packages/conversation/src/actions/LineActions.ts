import { fillTemplate, type Localized, type LocalizedText, type TransferTarget, wordingIn } from "@trunkline/agents"
import { BusinessTime, type Variables } from "@trunkline/kernel"
import type { ToolRequest } from "@trunkline/models"
import {
  cannotTransfer,
  type Leg,
  sendKeys,
  type TransferRecord,
  type TransferRequest,
  type TransferResult
} from "@trunkline/telephony"
import { Duration, Effect, Schema } from "effect"
import { phrases } from "../clauses/Phrases.js"
import { type CallPlan, type CallState, currentVariables } from "../state/CallState.js"
import { maxSummary } from "../tools/LineTools.js"
import type { ToolOutcome } from "../tools/ToolOutcome.js"

/** Silence of the agent between two hold messages. */
const holdAgainAfter = Duration.seconds(10)

/** Answer of a tool of the line. */
export type LineToolAnswer = Pick<ToolOutcome, "content" | "set" | "outcome" | "transfer" | "said">

const TransferArguments = Schema.Struct({ target: Schema.String, summary: Schema.optional(Schema.String) })
const KeysArguments = Schema.Struct({ digits: Schema.String })

const decodeTransfer = Schema.decodeUnknownSync(TransferArguments)
const decodeKeys = Schema.decodeUnknownSync(KeysArguments)

/** A text of the call in the language that it has, with its variables and others. */
const textIn = (plan: CallPlan, state: CallState, text: Localized, others: Variables = {}): LocalizedText => {
  const wording = wordingIn(text, [state.language, ...plan.version.languages])
  return { ...wording, text: fillTemplate(wording.text, { ...currentVariables(plan, state), ...others }) }
}

const failureOf = (content: string): LineToolAnswer => ({ content, set: {}, outcome: "failed" })

/** Answer to the model for a transfer that came to nothing, by its outcome. */
const reports: Readonly<Record<Exclude<TransferResult["outcome"], "transferred">, string>> = {
  no_answer: "Nobody took the call.",
  busy: "The line was busy.",
  declined: "The call was declined.",
  failed: "The call could not be connected.",
  cancelled: "The caller hung up meanwhile."
}

const reportOf = ({ outcome, reason }: TransferResult): string => {
  if (outcome === "transferred") return "The caller is connected. You have left the call."
  if (reason === cannotTransfer) return "This line cannot transfer calls. Tell the caller so, and help in another way."
  const why = reason === null ? reports[outcome] : `${reports[outcome]} Reason: ${reason}.`
  return `${why} The caller is with you again: tell them so, and offer another way.`
}

const cancellation: TransferResult = { outcome: "cancelled", reason: null, by: null, answered_at: null }

/** Says that the caller should hold, again and again, until it is interrupted. */
const holdOn = (say: Effect.Effect<unknown, unknown>): Effect.Effect<never> =>
  Effect.forever(Effect.zipRight(BusinessTime.sleep(holdAgainAfter), Effect.ignore(say)))

/** Tries a transfer while the caller is told to hold: before a blind one, which may take the line at once, and during a warm one. */
const tryTransfer = (leg: Leg, request: TransferRequest, hold: LocalizedText): Effect.Effect<TransferResult> => {
  const { transfer } = leg
  if (transfer === undefined) {
    return Effect.succeed({ outcome: "failed", reason: cannotTransfer, by: null, answered_at: null })
  }
  const say = hold.text === "" ? Effect.succeed(null) : leg.say({ ...hold, interruptible: false })
  if (request.kind === "warm") {
    return Effect.raceFirst(transfer(request), Effect.zipRight(Effect.ignore(say), holdOn(say)))
  }
  return Effect.matchEffect(say, {
    onFailure: () => Effect.succeed(cancellation),
    onSuccess: (speech) =>
      speech?.endedBy === undefined
        ? Effect.raceFirst(transfer(request), holdOn(say))
        : Effect.succeed(cancellation)
  })
}

/** Keys for the record. */
const shownKeys = ({ extension, mask_extension }: TransferTarget): string | null =>
  extension === undefined ? null : mask_extension === true ? extension.replaceAll(/[^w]/g, "*") : extension

/** Connects the caller with a target, or brings them back. */
const transferTo = (
  leg: Leg,
  plan: CallPlan,
  state: CallState,
  { summary, target }: { readonly summary: string | undefined; readonly target: TransferTarget }
): Effect.Effect<LineToolAnswer> =>
  Effect.gen(function*() {
    const { accept_key, briefing, connection_id, extension, hold_message, kind, name, ring_seconds, to } = target
    const started_at = yield* BusinessTime.now
    const hold = textIn(plan, state, hold_message ?? phrases.hold)
    const briefingWords = briefing === undefined
      ? { text: (summary ?? "").trim().slice(0, maxSummary), language_name: state.language }
      : textIn(plan, state, briefing)
    const request: TransferRequest = {
      kind,
      to,
      connection_id: connection_id ?? null,
      ringTimeout: Duration.seconds(ring_seconds),
      extension: extension ?? null,
      acceptKey: accept_key ?? null,
      briefing: kind === "blind" || briefingWords.text === "" ? null : briefingWords,
      prompt: accept_key === undefined ? null : textIn(plan, state, phrases.acceptKey, { key: accept_key })
    }
    const result = yield* tryTransfer(leg, request, hold)
    const { answered_at, by, outcome, reason } = result
    const transfer: TransferRecord = {
      target: name,
      to,
      kind,
      outcome,
      reason,
      by,
      started_at,
      answered_at,
      ended_at: yield* BusinessTime.now,
      digits: answered_at === null ? null : shownKeys(target)
    }
    return {
      content: reportOf(result),
      set: {},
      outcome: outcome === "transferred" ? "done" : "failed",
      transfer,
      ...(leg.transfer !== undefined && hold.text !== "" && { said: { ...hold, at: started_at } })
    }
  })

const transferCall = (leg: Leg, plan: CallPlan, state: CallState, input: unknown): Effect.Effect<LineToolAnswer> => {
  const { summary, target: name } = decodeTransfer(input)
  const target = plan.version.transfers?.find((each) => each.name === name)
  return target === undefined
    ? Effect.succeed(failureOf("There is no target of this name."))
    : transferTo(leg, plan, state, { summary, target })
}

const pressKeys = (leg: Leg, input: unknown): Effect.Effect<LineToolAnswer> => {
  const { digits } = decodeKeys(input)
  return leg.press === undefined
    ? Effect.succeed(failureOf("This line cannot send keys. Go on without them."))
    : Effect.as(sendKeys(leg.press, digits), { content: "The keys were sent.", set: {}, outcome: "done" })
}

/** Uses a tool of the line with arguments that fit its schema. */
export const actOnLine = (
  leg: Leg,
  { input, plan, request, state }: {
    readonly plan: CallPlan
    readonly state: CallState
    readonly request: ToolRequest
    readonly input: unknown
  }
): Effect.Effect<LineToolAnswer> =>
  request.name === "transfer_call" ? transferCall(leg, plan, state, input) : pressKeys(leg, input)
