import {
  type AllowedSchedule,
  type AppConfig,
  Campaign,
  CampaignRunner,
  CampaignStore,
  dialWindow,
  DispatchStore,
  type SeatedContact
} from "@trunkline/campaigns"
import {
  BusinessTime,
  CampaignId,
  macroTask,
  OrgId,
  Scope,
  type Timestamp,
  unchecked,
  VirtualClock,
  WorkspaceId
} from "@trunkline/kernel"
import { CallLimitsOption, Connection, LiveCalls } from "@trunkline/telephony"
import { DateTime, Deferred, Duration, Effect, Layer } from "effect"
import type { CalleeModel } from "../callees/CalleeModel.js"
import { makeOutcomeSampler } from "../callees/OutcomeSampler.js"
import { type JournalSink, makeJournal } from "../report/Journal.js"
import { addContact, addNotEnrolled, emptySummary, type UnreachedSummary } from "../report/NeverReached.js"
import { Tally } from "../report/Tally.js"
import { rehearsalEngine } from "./RehearsalEngine.js"
import { type ContactSource, rosterOf } from "./RehearsedContacts.js"
import { REHEARSAL_PROVIDER, rehearsedLines, silentHandler } from "./RehearsedLines.js"

/** The rehearsed part of a campaign, which stored campaigns and requests to create one both have. */
export interface RehearsedCampaign {
  readonly app_config: AppConfig
  readonly start_timestamp: Timestamp
  readonly end_timestamp: Timestamp
  readonly allowed_schedule: AllowedSchedule
}

/** One run of a campaign. */
export interface RehearsalRun {
  readonly campaign: RehearsedCampaign
  readonly people: ContactSource
  readonly callees: CalleeModel
  readonly seed: number | string
  /** Start of the run, epoch milliseconds. */
  readonly now: number
  readonly maxConcurrentCalls: number
  /** Concurrent calls per connection, by connection id; absent ones are unlimited. */
  readonly channels: Readonly<Record<string, number>>
  readonly sink: JournalSink
  /** Runs after each ended call. */
  readonly onEnded: (tally: Tally) => Effect.Effect<void>
}

/** Result of a run. */
export interface RehearsalRunResult {
  readonly tally: Tally
  /** End of the campaign, epoch milliseconds. */
  readonly over_at: number
  readonly summary: UnreachedSummary
  /** Number of contacts in the list. */
  readonly read: number
  /** Number of contacts in the list that were never enrolled. */
  readonly unread: number
  readonly journal: { readonly lines: number; readonly sha256: string }
}

const scope = new Scope({ org_id: OrgId.make("rehearsal"), workspace_id: WorkspaceId.make("rehearsal") })
const campaign_id = CampaignId.make("camp-rehearsal")

const campaignOf = (rehearsed: RehearsedCampaign, now: number): Campaign => {
  const at = DateTime.unsafeMake(now)
  return new Campaign({
    ...rehearsed,
    campaign_id,
    name: "Rehearsal",
    description: null,
    status: "scheduled",
    app_id: rehearsed.app_config.app_id,
    app_type: "agent",
    app_version: rehearsed.app_config.app_version,
    created_by: "rehearsal",
    created_at: at,
    updated_by: null,
    updated_at: at
  }, unchecked)
}

const connectionsOf = ({ campaign, channels }: RehearsalRun): ReadonlyArray<Connection> =>
  campaign.app_config.connection_configs.map(({ connection_id, phone_numbers }) => {
    const max_channels = channels[connection_id]
    return new Connection({
      connection_id,
      provider: REHEARSAL_PROVIDER,
      phone_numbers,
      options: {},
      ...(max_channels === undefined ? {} : { max_channels })
    })
  })

/** Number of contacts per page. */
const PAGE_SIZE = 500

/** Summarizes the enrolled contacts at the end of the campaign. */
const summarizeContacts = (dispatch: typeof DispatchStore.Service, tally: Tally): Effect.Effect<UnreachedSummary> =>
  Effect.gen(function*() {
    const summary = emptySummary()
    for (let after: number | null = null;;) {
      const page: ReadonlyArray<SeatedContact> = yield* dispatch.list(campaign_id, {
        ...allContacts,
        limit: PAGE_SIZE,
        after
      })
      for (const { contact } of page) addContact(summary, contact, tally)
      after = page.at(-1)?.seat ?? null
      if (page.length < PAGE_SIZE) return summary
      yield* BusinessTime.hold(macroTask)
    }
  })

const allContacts = { state: null, reason: null, search: "", before: null }

/** Plays a campaign in its own virtual time, from `now` to its end. */
export const runRehearsal = (play: RehearsalRun): Effect.Effect<RehearsalRunResult> =>
  Effect.gen(function*() {
    const { campaign, now } = play
    const window = dialWindow(campaign.allowed_schedule)
    const journal = makeJournal(play.sink)
    const tally = new Tally({ journal, window })
    const limits = yield* CallLimitsOption
    const sampleOutcome = makeOutcomeSampler(play.callees, {
      seed: play.seed,
      timezone: window.timezone,
      bounds: { ringing: Duration.toMillis(limits.ringTimeout), talking: Duration.toMillis(limits.maxDuration) }
    })
    const over = yield* Deferred.make<number>()
    let read = 0
    const people = Effect.tap(play.people, (some) => Effect.sync(() => void (read += some.length)))
    const engine = rehearsalEngine({
      tally,
      journal,
      connections: connectionsOf(play),
      slots: { maxConcurrentCalls: play.maxConcurrentCalls },
      roster: rosterOf(people),
      lines: Layer.merge(rehearsedLines(sampleOutcome, tally), silentHandler(tally)),
      onOver: Effect.flatMap(BusinessTime.now, (at) => Deferred.succeed(over, at)),
      onEnded: () => play.onEnded(tally)
    })
    const played = Effect.gen(function*() {
      const store = yield* CampaignStore
      yield* store.put(scope, campaignOf(campaign, now))
      const runner = yield* Effect.fork((yield* CampaignRunner).run)
      const over_at = yield* Effect.raceFirst(Deferred.await(over), runner)
      yield* (yield* LiveCalls).close
      yield* Effect.repeat(people, { until: (some) => some.length === 0 })
      const dispatch = yield* DispatchStore
      const { taken } = yield* dispatch.totals(campaign_id)
      const summary = yield* summarizeContacts(dispatch, tally)
      addNotEnrolled(summary, read - taken)
      return { tally, over_at, summary, read, unread: read - taken, journal: yield* journal.close }
    })
    return yield* VirtualClock.run(Effect.scoped(Effect.provide(played, engine)), { start: now })
  })
