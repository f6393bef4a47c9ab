import { BusinessTime, Ids, isOpen, Transactions, trusted } from "@trunkline/kernel"
import {
  Attempt,
  AttemptStore,
  CallSlots,
  Carriers,
  type Connection,
  Connections,
  LiveCalls
} from "@trunkline/telephony"
import { Context, Effect, Layer, Option } from "effect"
import { type Campaign, type DialLine, dialWindow } from "./Campaign.js"
import { CampaignCalls } from "./CampaignCalls.js"
import { CampaignStore, type OwnedCampaign } from "./CampaignStore.js"
import type { Contact } from "./Contact.js"
import { DispatchStore } from "./DispatchStore.js"
import { type DialTally, hasFresh, lineOrder, numberOf } from "./NumberChoice.js"
import { stopGate } from "./StopGate.js"

/** What came of wanting to dial. */
export type DialStep =
  /** The call is on its way since `at`, from the campaign's line with this index. */
  | { readonly _tag: "Dialled"; readonly line: number; readonly at: number }
  /** Every line is busy; `freed` completes when a call ends. */
  | { readonly _tag: "NoLine"; readonly freed: Effect.Effect<void> }
  /** None of the campaign's connections is configured any more. */
  | { readonly _tag: "NoSuchLine" }
  /** The campaign is not to dial any more, or the person is not to be called. */
  | { readonly _tag: "Withdrawn" }

/** Places one campaign call: takes a line, makes the intent durable, and only then dials. */
export class Dialler extends Context.Tag("@trunkline/campaigns/Dialler")<Dialler, {
  readonly dial: (owned: OwnedCampaign, contact: Contact, tally: DialTally) => Effect.Effect<DialStep>
  /** Takes back an attempt that was claimed before a restart and certainly never dialled: the person waits again. */
  readonly withdraw: (attempt: Attempt) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    Dialler,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const dispatch = yield* DispatchStore
      const attempts = yield* AttemptStore
      const connections = yield* Connections
      const carriers = yield* Carriers
      const slots = yield* CallSlots
      const live = yield* LiveCalls
      const calls = yield* CampaignCalls
      const transactions = yield* Transactions
      const ids = yield* Ids
      const stopIfListed = yield* stopGate

      /** The first line, in order of fairness, that has room for a call. */
      const takeLine = (owned: OwnedCampaign, order: ReadonlyArray<number>) =>
        Effect.gen(function*() {
          let freed: Effect.Effect<void> | null = null
          for (const index of order) {
            const line = owned.campaign.app_config.connection_configs[index]
            if (line === undefined) continue
            const connection = yield* connections.find(owned.scope, line.connection_id)
            if (Option.isNone(connection)) continue
            const slot = yield* slots.tryTake(owned.scope, connection.value)
            if (slot.taken) return { _tag: "Line", index, line, connection: connection.value } as const
            freed ??= slot.freed
          }
          return freed === null ? { _tag: "NoSuchLine" } as const : { _tag: "NoLine", freed } as const
        })

      /** Makes the intent to dial durable; nothing is dialled before this is kept. */
      const claim = (owned: OwnedCampaign, contact: Contact, taken: TakenLine, rotate: boolean, dialled: number) =>
        transactions.run(Effect.gen(function*() {
          const current = yield* campaigns.findOwned(contact.campaign_id)
          const attempted_at = yield* BusinessTime.now
          if (
            !Option.exists(current, ({ campaign }) => isUnchanged(owned, campaign) && mayDial(campaign, attempted_at))
          ) {
            return Option.none()
          }
          const from = numberOf(taken.line, dialled, rotate ? { calledFrom: contact.called_from } : null)
          if (from === undefined || (yield* stopIfListed(owned.scope, contact))) return Option.none()
          const { app_id, app_version, webhook_config } = owned.campaign.app_config
          const { connection } = taken
          const attempt = new Attempt({
            attempt_id: yield* ids.attemptId,
            ...owned.scope,
            kind: "campaign",
            app_id,
            app_version,
            campaign_id: contact.campaign_id,
            cohort_id: contact.cohort_id,
            deployment_id: null,
            connection_id: connection.connection_id,
            channel_provider: connection.provider,
            channel_protocol: Option.match(carriers.find(connection.provider), {
              onNone: () => "none",
              onSome: (carrier) => carrier.protocol
            }),
            user_identifier: contact.user_identifier,
            user_phone_number: contact.user_phone_number,
            agent_phone_number: from,
            retry_attempt: contact.attempts,
            agent_variables: contact.agent_variables,
            app_overrides: contact.app_overrides,
            webhook: webhook_config,
            attempted_at,
            state: "claimed",
            provider_call_id: null,
            result: null
          }, trusted)
          const { attempt_id } = attempt
          if (!(yield* dispatch.claim({ ...contact, attempt_id, from }))) return Option.none()
          yield* attempts.insert(attempt)
          return Option.some(attempt)
        }))

      const withdraw = Effect.fn("Dialler.withdraw")(
        function*(attempt: Attempt) {
          const { attempt_id, campaign_id, user_phone_number } = attempt
          if (campaign_id === null) return
          yield* transactions.run(Effect.gen(function*() {
            if (!(yield* attempts.withdraw(attempt_id))) return
            yield* dispatch.release({ attempt_id, campaign_id, user_phone_number })
            yield* stopIfListed(attempt, { campaign_id, user_phone_number })
          }))
        }
      )

      const dial = Effect.fn("Dialler.dial")(function*(owned: OwnedCampaign, contact: Contact, tally: DialTally) {
        const { connection_configs, phone_rotation } = owned.campaign.app_config
        const rotate = phone_rotation.agent
        const order = lineOrder(connection_configs, tally)
        const fresh = rotate ? order.filter((index) => isFresh(connection_configs[index], contact)) : []
        const taken = yield* takeLine(owned, fresh.length > 0 ? fresh : order)
        if (taken._tag !== "Line") return taken
        const release = slots.release(owned.scope, taken.connection)
        const attempt = yield* Effect.onError(
          claim(owned, contact, taken, rotate, tally[taken.index] ?? 0),
          () => release
        )
        if (Option.isNone(attempt)) return yield* Effect.as(release, { _tag: "Withdrawn" } as const)
        if (yield* live.start(Effect.ensuring(calls.carryOut(attempt.value), release))) {
          return { _tag: "Dialled", line: taken.index, at: attempt.value.attempted_at } as const
        }
        yield* Effect.ensuring(withdraw(attempt.value), release)
        return { _tag: "Withdrawn" } as const
      })

      return Dialler.of({
        dial: (owned, contact, tally) => Effect.uninterruptible(dial(owned, contact, tally)),
        withdraw
      })
    })
  )
}

interface TakenLine {
  readonly line: DialLine
  readonly connection: Connection
}

/** Whether a line has a number that the person does not know yet. */
const isFresh = (line: DialLine | undefined, contact: Contact): boolean =>
  line !== undefined && hasFresh(line, contact.called_from)

/** Whether nobody has changed the campaign since it was looked at. */
const isUnchanged = ({ campaign: { updated_at } }: OwnedCampaign, current: Campaign): boolean =>
  updated_at.epochMillis === current.updated_at.epochMillis

/** Whether the campaign dials at this moment: in its window, and between its start and its end. */
const mayDial = (campaign: Campaign, at: number): boolean =>
  campaign.status === "active" && at >= campaign.start_timestamp.epochMillis &&
  at < campaign.end_timestamp.epochMillis && isOpen(dialWindow(campaign.allowed_schedule), at)
