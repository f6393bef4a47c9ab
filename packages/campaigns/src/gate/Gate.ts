import { type PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { AgentVersions, BlockedNumbers, CallRegistry } from "@trunkline/telephony"
import { Context, Effect, Layer } from "effect"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import type { Campaign } from "../campaign/Campaign.js"
import { type BudgetFacts, budgetFactsOf } from "../campaign/CampaignBudget.js"
import { CampaignSpending } from "../campaign/CampaignSpending.js"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import type { GateResult } from "../contacts/GateResult.js"
import { ContactStore } from "../store/ContactStore.js"
import { DialLog } from "../store/DialLog.js"
import { Roster } from "../store/Roster.js"
import { CampaignDialLimits, type DialLimits, noLimits } from "./Blocker.js"
import { dayStart } from "./ContactChecks.js"
import { decide } from "./Decide.js"
import type { ContactFacts, GateFacts } from "./GateFacts.js"

/**
 * Dials per number and day that the campaigns of a workspace may make, set by the host application as
 * `maxDialsPerNumberPerDay`; infinity, the default, is no cap. The day is that of the dialling campaign, in the time zone
 * of its schedule. Dials are only counted while there is a cap.
 */
export class DailyCap extends Context.Reference<DailyCap>()("@trunkline/campaigns/DailyCap", {
  defaultValue: () => Infinity
}) {}

/** A list that excludes a number from all further calls: a stop file of the campaign, or the workspace's blocked numbers. */
export type Exclusion = "stopped" | "blocked_number"

/** The part of a contact that the gate decides about. */
export type GateContact = Pick<Contact, "decision" | "due_at" | "user_phone_number">

/** Decides about one of the contacts that the gate was opened for. */
export type GateCheck = (contact: GateContact, limits: DialLimits) => GateResult

/** Contacts of a campaign to decide about. */
export interface GateRequest {
  readonly ownedCampaign: OwnedCampaign
  readonly contacts: ReadonlyArray<GateContact>
  readonly now: number
  readonly isAgentCommitted: boolean
  readonly budget: BudgetFacts | null
  /** Numbers that the transaction claims, and has not stored yet; they count as on the phone from the moment they are added. */
  readonly claimedNumbers?: ReadonlySet<PhoneNumber>
}

/** Decides about calls: the one gate before every dial, which also explains its decisions to readers. */
export class Gate extends Context.Tag("@trunkline/campaigns/Gate")<Gate, {
  /**
   * Reads the facts about contacts of several campaigns, and returns for each campaign a function that decides about them.
   * Joins the running transaction, so its decisions hold at the commit. The caller looks up `agentCommitted` before, because
   * that may leave the process.
   */
  readonly open: (requests: ReadonlyArray<GateRequest>) => Effect.Effect<ReadonlyArray<GateCheck>>
  /** Succeeds with true when the version of the campaign's agent is committed. */
  readonly isAgentCommitted: (ownedCampaign: OwnedCampaign) => Effect.Effect<boolean>
  /** The budget of a campaign and what is used of it now; null without one. */
  readonly budget: (ownedCampaign: OwnedCampaign) => Effect.Effect<BudgetFacts | null>
  /** The decisions about contacts as they are now, in order: stored ones, and fresh ones for contacts that wait. */
  readonly explain: (
    ownedCampaign: OwnedCampaign,
    contacts: ReadonlyArray<Contact>,
    now: number
  ) => Effect.Effect<ReadonlyArray<GateResult>>
  /** Decides about the campaign as a whole at a moment, regardless of its lines and its rate. */
  readonly now: (
    campaign: OwnedCampaign,
    options: { readonly now: number; readonly isAgentCommitted: boolean; readonly budget: BudgetFacts | null }
  ) => GateResult
  /** Decides about the campaign as a whole, with the line and rate limits that its dialler met last. */
  readonly campaign: (ownedCampaign: OwnedCampaign, now: number) => Effect.Effect<GateResult>
  /** The list that excludes a number from all further calls of the campaign; null when none does. */
  readonly exclusion: (ownedCampaign: OwnedCampaign, number: PhoneNumber) => Effect.Effect<Exclusion | null>
  /** The lists that exclude some of these numbers from all further calls of the campaign. */
  readonly exclusions: (
    ownedCampaign: OwnedCampaign,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlyMap<PhoneNumber, Exclusion>>
}>() {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function*() {
      const roster = yield* Roster
      const log = yield* DialLog
      const blockedNumbers = yield* BlockedNumbers
      const agents = yield* AgentVersions
      const registry = yield* CallRegistry
      const holds = yield* CampaignDialLimits
      const dailyCap = yield* DailyCap
      const spending = yield* CampaignSpending
      const contactStore = yield* ContactStore

      const isCommitted = ({ campaign: { app_config }, scope }: OwnedCampaign) =>
        agents.isCommitted(scope, app_config.app_id, app_config.app_version)

      /** Counts running calls first, so that one that ends meanwhile counts twice rather than not at all. */
      const budget = ({ campaign: { app_config, campaign_id } }: OwnedCampaign) => {
        const { budget } = app_config
        return budget == null
          ? Effect.succeed(null)
          : Effect.flatMap(
            contactStore.counts(campaign_id),
            ({ calling }) => Effect.map(spending.of(campaign_id), (spend) => budgetFactsOf(budget, spend, calling))
          )
      }

      const numbersOf = ({ contacts }: GateRequest) => contacts.map((contact) => contact.user_phone_number)

      /** Reads which numbers of a workspace are blocked, and which are on the phone. */
      const readNumbers = (scope: Scope, requests: ReadonlyArray<GateRequest>) =>
        Effect.gen(function*() {
          const numbers = [...new Set(requests.flatMap(numbersOf))]
          const blocked = yield* blockedNumbers.filterBlocked(scope, numbers)
          const calledNumbers = yield* log.onThePhone(scope, numbers)
          const talking = yield* registry.busyNumbers(scope, numbers)
          return { blocked, isBusy: (number: PhoneNumber) => calledNumbers.has(number) || talking.has(number) }
        })

      const open = (requests: ReadonlyArray<GateRequest>) =>
        Effect.gen(function*() {
          const read = new Map<string, Effect.Effect.Success<ReturnType<typeof readNumbers>>>()
          const checks: Array<GateCheck> = []
          for (const request of requests) {
            const { isAgentCommitted, budget, claimedNumbers, now, ownedCampaign: { campaign, scope } } = request
            const key = scopeKey(scope)
            const isOfScope = ({ ownedCampaign }: GateRequest) => scopeKey(ownedCampaign.scope) === key
            const { blocked, isBusy } = read.get(key) ?? (yield* readNumbers(scope, requests.filter(isOfScope)))
            read.set(key, { blocked, isBusy })
            const numbers = numbersOf(request)
            const stoppedNumbers = yield* roster.filterStopped(scope, campaign.campaign_id, numbers)
            const dials = dailyCap === Infinity
              ? noDials
              : yield* log.dialsOf(scope, dayStart(zoneOf(campaign), now), numbers)
            checks.push((contact, limits) => {
              const number = contact.user_phone_number
              const facts: ContactFacts = {
                due_at: contact.due_at,
                since: contact.decision.reason,
                isStopped: stoppedNumbers.has(number),
                isBlocked: blocked.has(number),
                isOnThePhone: isBusy(number) || claimedNumbers?.has(number) === true,
                dialsToday: dials.get(number) ?? 0
              }
              return decide({ campaign, now, isAgentCommitted, budget, dailyCap, contact: facts, ...limits })
            })
          }
          return checks
        })

      const decideAsWhole = (
        { campaign }: OwnedCampaign,
        facts: Pick<GateFacts, "budget" | "isAgentCommitted" | "line" | "nextDialAt" | "now">
      ) => decide({ campaign, dailyCap, contact: null, ...facts })

      const exclusions = ({ campaign, scope }: OwnedCampaign, numbers: ReadonlyArray<PhoneNumber>) =>
        Effect.gen(function*() {
          const exclusionsByNumber = new Map<PhoneNumber, Exclusion>()
          if (numbers.length === 0) return exclusionsByNumber
          for (const number of yield* roster.filterStopped(scope, campaign.campaign_id, numbers)) {
            exclusionsByNumber.set(number, "stopped")
          }
          const others = numbers.filter((number) => !exclusionsByNumber.has(number))
          if (others.length === 0) return exclusionsByNumber
          for (const number of yield* blockedNumbers.filterBlocked(scope, others)) {
            exclusionsByNumber.set(number, "blocked_number")
          }
          return exclusionsByNumber
        })

      return Gate.of({
        open,
        isAgentCommitted: isCommitted,
        budget,
        now: (ownedCampaign, facts) => decideAsWhole(ownedCampaign, { ...facts, ...noLimits }),
        explain: (ownedCampaign, contacts, now) =>
          Effect.gen(function*() {
            const waiting = contacts.filter(({ state }) => state === "waiting")
            const isAgentCommitted = yield* isCommitted(ownedCampaign)
            const limits = yield* holds.of(ownedCampaign.campaign.campaign_id)
            const request = {
              ownedCampaign,
              contacts: waiting,
              now,
              isAgentCommitted,
              budget: yield* budget(ownedCampaign)
            }
            const [check] = yield* open([request])
            return contacts.map((contact) =>
              contact.state === "waiting" && check !== undefined
                ? newestResult(contact.decision, check(contact, limits))
                : contact.decision
            )
          }),
        campaign: (ownedCampaign, now) =>
          Effect.gen(function*() {
            const isAgentCommitted = yield* isCommitted(ownedCampaign)
            const limits = yield* holds.of(ownedCampaign.campaign.campaign_id)
            return decideAsWhole(ownedCampaign, {
              now,
              isAgentCommitted,
              budget: yield* budget(ownedCampaign),
              ...limits
            })
          }),
        exclusion: (ownedCampaign, number) =>
          Effect.map(
            exclusions(ownedCampaign, [number]),
            (exclusionsByNumber) => exclusionsByNumber.get(number) ?? null
          ),
        exclusions
      })
    })
  )
}

const noDials: ReadonlyMap<PhoneNumber, number> = new Map()

const zoneOf = (campaign: Campaign) => dialWindow(campaign.allowed_schedule).timezone

/** The fresh decision about a waiting contact, or the stored one, with its older moment, while it still says the same. */
const newestResult = (storedResult: GateResult, fresh: GateResult): GateResult => {
  if (fresh.verdict === "allow" && storedResult.verdict === "allow") return storedResult
  return fresh.reason === storedResult.reason ? { ...fresh, at: storedResult.at } : fresh
}
