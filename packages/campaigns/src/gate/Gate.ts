import type { PhoneNumber } from "@trunkline/kernel"
import { AgentVersions, BlockedNumbers, CarriedCalls } from "@trunkline/telephony"
import { Context, Effect, Layer } from "effect"
import { type Campaign, dialWindow } from "../campaign/Campaign.js"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import { DispatchStore } from "../dispatch/DispatchStore.js"
import { Roster } from "../enrolment/Roster.js"
import type { GateFacts, PersonFacts } from "./Check.js"
import { DailyCap } from "./DailyCap.js"
import { dayStart } from "./Day.js"
import { decide } from "./decide.js"
import type { Decision } from "./Decision.js"
import { Holds, type Standing, unhindered } from "./Holds.js"

/** Whom a decision is about. */
export type Waiting = Pick<Contact, "decision" | "due_at" | "user_phone_number">

/** The decision about one of the people that a gate was opened for. */
export type Decide = (person: Waiting, standing: Standing) => Decision

/** Decides who may be called: one gate before every dial, which can also be asked for its reasons. */
export class Gate extends Context.Tag("@trunkline/campaigns/Gate")<Gate, {
  /**
   * Reads what decisions about these people rest on, and joins the running transaction: what it says holds at its
   * commit. Whether the agent's version is committed is asked before, since that may lead outside.
   */
  readonly open: (
    owned: OwnedCampaign,
    options: { readonly people: ReadonlyArray<Waiting>; readonly now: number; readonly agentCommitted: boolean }
  ) => Effect.Effect<Decide>
  /** Whether the version of the campaign's agent is committed. */
  readonly agentCommitted: (owned: OwnedCampaign) => Effect.Effect<boolean>
  /**
   * What holds for people now, in their order: what was decided about those who are on the phone or done with, and what
   * the gate says of those who wait.
   */
  readonly explain: (
    owned: OwnedCampaign,
    contacts: ReadonlyArray<Contact>,
    now: number
  ) => Effect.Effect<ReadonlyArray<Decision>>
  /** Whether the campaign may dial at a moment, lines and rate aside. */
  readonly now: (
    campaign: OwnedCampaign,
    options: { readonly now: number; readonly agentCommitted: boolean }
  ) => Decision
  /** Whether the campaign as a whole may dial now, as far as is known of its lines and its rate. */
  readonly campaign: (owned: OwnedCampaign, now: number) => Effect.Effect<Decision>
  /** Why somebody is not called again in this campaign, whatever their policy says; null when they may be. */
  readonly barred: (owned: OwnedCampaign, number: PhoneNumber) => Effect.Effect<"stopped" | "blocked_number" | null>
}>() {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function*() {
      const roster = yield* Roster
      const dispatch = yield* DispatchStore
      const blockedNumbers = yield* BlockedNumbers
      const agents = yield* AgentVersions
      const carried = yield* CarriedCalls
      const holds = yield* Holds
      const dailyCap = yield* DailyCap

      const isCommitted = ({ campaign: { app_config }, scope }: OwnedCampaign) =>
        agents.isCommitted(scope, app_config.app_id, app_config.app_version)

      const open = ({ campaign, scope }: OwnedCampaign, { agentCommitted, now, people }: {
        readonly people: ReadonlyArray<Waiting>
        readonly now: number
        readonly agentCommitted: boolean
      }) =>
        Effect.gen(function*() {
          const numbers = people.map((person) => person.user_phone_number)
          const stopped = yield* roster.stopped(scope, campaign.campaign_id, numbers)
          const blocked = yield* blockedNumbers.blocked(scope, numbers)
          const called = yield* dispatch.onThePhone(scope, numbers)
          const talking = yield* carried.talking(scope, numbers)
          const dials = dailyCap === Infinity
            ? noDials
            : yield* dispatch.dialsOf(scope, dayStart(zoneOf(campaign), now), numbers)
          return (person: Waiting, standing: Standing) => {
            const number = person.user_phone_number
            const facts: PersonFacts = {
              due_at: person.due_at,
              since: person.decision.reason,
              stopped: stopped.has(number),
              blocked: blocked.has(number),
              onThePhone: called.has(number) || talking.has(number),
              dialsToday: dials.get(number) ?? 0
            }
            return decide({ campaign, now, agentCommitted, dailyCap, person: facts, ...standing })
          }
        })

      const asWhole = (
        { campaign }: OwnedCampaign,
        facts: Pick<GateFacts, "agentCommitted" | "line" | "nextDialAt" | "now">
      ) => decide({ campaign, dailyCap, person: null, ...facts })

      return Gate.of({
        open,
        agentCommitted: isCommitted,
        now: (owned, facts) => asWhole(owned, { ...facts, ...unhindered }),
        explain: (owned, contacts, now) =>
          Effect.gen(function*() {
            const people = contacts.filter(({ state }) => state === "waiting")
            const agentCommitted = yield* isCommitted(owned)
            const standing = yield* holds.of(owned.campaign.campaign_id)
            const decideOn = yield* open(owned, { people, now, agentCommitted })
            return contacts.map((contact) => explained(contact, () => decideOn(contact, standing)))
          }),
        campaign: (owned, now) =>
          Effect.gen(function*() {
            const agentCommitted = yield* isCommitted(owned)
            const standing = yield* holds.of(owned.campaign.campaign_id)
            return asWhole(owned, { now, agentCommitted, ...standing })
          }),
        barred: ({ campaign, scope }, number) =>
          Effect.gen(function*() {
            if ((yield* roster.stopped(scope, campaign.campaign_id, [number])).size > 0) return "stopped"
            return (yield* blockedNumbers.blocked(scope, [number])).size > 0 ? "blocked_number" : null
          })
      })
    })
  )
}

const noDials: ReadonlyMap<PhoneNumber, number> = new Map()

const zoneOf = (campaign: Campaign) => dialWindow(campaign.allowed_schedule).timezone

/**
 * What to say of somebody. What was decided about those who wait stands, with its moment, for as long as the gate says
 * the same; whom nothing has held yet is new.
 */
const explained = ({ decision, state }: Contact, now: () => Decision): Decision => {
  if (state !== "waiting") return decision
  const current = now()
  if (current.verdict === "allow" && decision.verdict === "allow") return decision
  return current.reason === decision.reason ? { ...current, at: decision.at } : current
}
