import {
  type AllowedSchedule,
  type AppConfig,
  Campaign,
  CampaignRunner,
  CampaignStore,
  dialWindow,
  DispatchStore,
  type Seated
} from "@trunkline/campaigns"
import {
  BusinessTime,
  CampaignId,
  macroTask,
  OrgId,
  Scope,
  type Timestamp,
  trusted,
  VirtualClock,
  WorkspaceId
} from "@trunkline/kernel"
import { CallLimitsOption, Connection, LiveCalls } from "@trunkline/telephony"
import { DateTime, Deferred, Duration, Effect, Layer } from "effect"
import type { CalleeModel } from "../callees/CalleeModel.js"
import { fatesOf } from "../callees/Fate.js"
import { type JournalSink, makeJournal } from "../report/Journal.js"
import { type Leftovers, lookAt, neverLookedAt, noLeftovers } from "../report/NeverReached.js"
import { Tally } from "../report/Tally.js"
import { rehearsalEngine } from "./RehearsalEngine.js"
import { REHEARSAL_PROVIDER, rehearsedLines, silentHandler } from "./RehearsedLines.js"
import { type PeopleSource, rosterOf } from "./RehearsedPeople.js"

/** What is rehearsed of a campaign: a campaign that exists or a request to create one has it. */
export interface RehearsedCampaign {
  readonly app_config: AppConfig
  readonly start_timestamp: Timestamp
  readonly end_timestamp: Timestamp
  readonly allowed_schedule: AllowedSchedule
}

/** One campaign, played once. */
export interface Play {
  readonly campaign: RehearsedCampaign
  readonly people: PeopleSource
  readonly callees: CalleeModel
  readonly seed: number | string
  /** When it begins, epoch milliseconds. */
  readonly now: number
  readonly maxConcurrentCalls: number
  /** How many calls each connection carries at once, by its id; those that are left out have no limit of their own. */
  readonly channels: Readonly<Record<string, number>>
  readonly sink: JournalSink
  /** Run whenever the result of a call is in. */
  readonly onEnded: (tally: Tally) => Effect.Effect<void>
}

/** How a campaign went. */
export interface Played {
  readonly tally: Tally
  /** When the engine ended the campaign, epoch milliseconds. */
  readonly over_at: number
  readonly leftovers: Leftovers
  /** People in the list, and of those, whom the campaign never looked at. */
  readonly read: number
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
  }, trusted)
}

const connectionsOf = ({ campaign, channels }: Play): ReadonlyArray<Connection> =>
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

/** People who are looked at without a pause. */
const atOnce = 500

/** How everybody who was enrolled was left. */
const lookAtAll = (dispatch: typeof DispatchStore.Service, tally: Tally): Effect.Effect<Leftovers> =>
  Effect.gen(function*() {
    const leftovers = noLeftovers()
    for (let after: number | null = null;;) {
      const page: ReadonlyArray<Seated> = yield* dispatch.list(campaign_id, { ...everybody, limit: atOnce, after })
      for (const { contact } of page) lookAt(leftovers, contact, tally)
      after = page.at(-1)?.seat ?? null
      if (page.length < atOnce) return leftovers
      yield* BusinessTime.hold(macroTask)
    }
  })

const everybody = { state: null, reason: null, search: "", before: null }

/** Plays a campaign in a time of its own, from `now` to its end. */
export const playThrough = (play: Play): Effect.Effect<Played> =>
  Effect.gen(function*() {
    const { campaign, now } = play
    const window = dialWindow(campaign.allowed_schedule)
    const journal = makeJournal(play.sink)
    const tally = new Tally({ journal, window })
    const limits = yield* CallLimitsOption
    const fates = fatesOf(play.callees, {
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
      lines: Layer.merge(rehearsedLines(fates, tally), silentHandler(tally)),
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
      const leftovers = yield* lookAtAll(dispatch, tally)
      neverLookedAt(leftovers, read - taken)
      return { tally, over_at, leftovers, read, unread: read - taken, journal: yield* journal.close }
    })
    return yield* VirtualClock.run(Effect.scoped(Effect.provide(played, engine)), { start: now })
  })
