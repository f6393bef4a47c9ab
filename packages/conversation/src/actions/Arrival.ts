import { type Localized, startAt } from "@trunkline/agents"
import type { Message } from "@trunkline/models"
import type { Summarising } from "../state/ActionState.js"
import type { CallPlan, CallState } from "../state/CallState.js"
import { toolMessage } from "../tools/ToolMessage.js"
import { recordAction } from "./ActionRecord.js"
import { lastTurns, maxSummary } from "./Summary.js"
import { planOf, routesOf } from "./Team.js"

/** Turns of the caller that the next agent is told, where only the last are. */
const usualTurns = 6

/** Turns of the caller that go with a summary. */
const turnsWithSummary = 1

/** A call that the next agent has. */
export interface Arrival {
  readonly plan: CallPlan
  readonly state: CallState
  /** First words of the agent; undefined where its model, or its script, goes on by itself. */
  readonly firstWords: Localized | undefined
}

/** Hands a call over. Null where the agent has no such hand-over. */
export const arrive = (
  plan: CallPlan,
  before: CallState,
  { at, handOver: { reason, request, route, since }, summary }: {
    readonly at: number
    readonly handOver: Omit<Summarising, "_tag">
    /** Summary of the conversation; null without one. */
    readonly summary: string | null
  }
): Arrival | null => {
  const { agent, hadCall, handOvers } = before.actions
  const { handOver, to } = routesOf(plan, before)[route] ?? {}
  if (handOver === undefined || to === undefined) return null
  const actions = {
    ...before.actions,
    agent: to,
    handOvers: handOvers + 1,
    stateName: handOver.initial_state_name ?? null,
    hadCall: [...hadCall, agent],
    waiting: null,
    running: null
  }
  const next = planOf(plan, { actions })
  const choice = handOver.history ?? "keep"
  const history = choice === "summary" && summary === null ? "last_turns" : choice
  const toldMessages = history === "keep"
    ? before.messages
    : lastTurns(before.messages, history === "summary" ? turnsWithSummary : handOver.last_turns ?? usualTurns)
  const recap: ReadonlyArray<Message> = history === "summary" && summary !== null
    ? [{ role: "system", content: `The call so far: ${summary.slice(0, maxSummary)}` }]
    : []
  const content =
    `You are ${next.version.name} now, and go on with the call, which ${plan.version.name} has handed over to you.`
    + ` Reason: ${reason === "" ? "not given" : reason}`
  const handedOver = {
    from_app_id: plan.brief.app_id,
    from_app_version: plan.brief.app_version,
    to_app_id: next.brief.app_id,
    to_app_version: next.brief.app_version,
    history,
    reason
  }
  const text = `Handed over from ${plan.brief.app_id} to ${next.brief.app_id}.`
  const recordedState = recordAction(before, { request, since, at, outcome: "done", text, handedOver })
  const { languages } = next.version
  return {
    plan: next,
    firstWords: handOver.first_words,
    state: {
      ...recordedState,
      actions,
      beforeTurn: null,
      language: languages.find((language) => language === before.language) ?? languages[0],
      script: startAt(handOver.initial_state_name),
      messages: [...recap, ...toldMessages, toolMessage(request, content)],
      silences: 0
    }
  }
}
