import {
  type AllowedSchedule,
  type AppConfig,
  Campaign,
  DailyCap,
  dialWindow,
  EndWhenExhausted,
  type OwnedCampaign
} from "@trunkline/campaigns"
import {
  BusinessTime,
  CampaignId,
  macroTask,
  OrgId,
  Scope,
  type Timestamp,
  unchecked,
  WorkspaceId
} from "@trunkline/kernel"
import { CallLimitsOption } from "@trunkline/telephony"
import { DateTime, Duration, Effect } from "effect"
import type { CalleeModel } from "../callees/CalleeModel.js"
import { makeOutcomeSampler } from "../callees/OutcomeSampler.js"
import { type JournalSink, makeJournal } from "../report/Journal.js"
import { addContact, addNotEnrolled, emptySummary, type UnreachedSummary } from "../report/NeverReached.js"
import { Tally } from "../report/Tally.js"
import { CampaignSimulation } from "../simulation/CampaignSimulation.js"
import type { ContactSource } from "../simulation/ContactSource.js"
import type { SimulatedContacts } from "../simulation/SimulatedContacts.js"

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
  /** Runs from time to time, after every hundred ended calls. */
  readonly onProgress: (tally: Tally) => Effect.Effect<void>
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

/** Ended calls between two reports of the progress. */
const progressInterval = 100

const scope = new Scope({ org_id: OrgId.make("rehearsal"), workspace_id: WorkspaceId.make("rehearsal") })
const campaign_id = CampaignId.make("camp-rehearsal")

/** The scheduled campaign that a rehearsal plays. */
export const ownedCampaignOf = (rehearsed: RehearsedCampaign, now: number): OwnedCampaign => {
  const at = DateTime.unsafeMake(now)
  const campaign = new Campaign({
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
  return { scope, campaign }
}

/** Gives the event loop a turn, in which no time passes for a caller in virtual time. */
const turn = BusinessTime.hold(macroTask)

/** Contacts summarized between two turns of the event loop. */
const contactsPerSlice = 10_000

/** Summarizes the contacts at the end of the campaign. */
const summarizeContacts = (
  contacts: SimulatedContacts,
  tally: Tally,
  unread: number
): Effect.Effect<UnreachedSummary> =>
  Effect.gen(function*() {
    const summary = emptySummary()
    for (let person = 1; person <= contacts.lastPerson; person += 1) {
      const state = contacts.stateOf(person)
      if (state !== null) addContact(summary, { person, state }, tally)
      if (person % contactsPerSlice === 0) yield* turn
    }
    addNotEnrolled(summary, unread)
    return summary
  })

/** Plays a campaign in simulated time, from `now` to its end. Gives the event loop a turn at each pause. */
export const runRehearsal = (play: RehearsalRun): Effect.Effect<RehearsalRunResult> =>
  Effect.gen(function*() {
    const { campaign, channels, maxConcurrentCalls, now, people } = play
    const window = dialWindow(campaign.allowed_schedule)
    const journal = makeJournal(play.sink)
    const tally = new Tally({ journal, window })
    const limits = yield* CallLimitsOption
    const simulation = new CampaignSimulation({
      ownedCampaign: ownedCampaignOf(campaign, now),
      now,
      tally,
      journal,
      sampleOutcome: makeOutcomeSampler(play.callees, {
        seed: play.seed,
        timezone: window.timezone,
        bounds: { ringMillis: Duration.toMillis(limits.ringTimeout), talkMillis: Duration.toMillis(limits.maxDuration) }
      }),
      maxConcurrentCalls,
      channels,
      dailyCap: yield* DailyCap,
      endWhenExhausted: yield* EndWhenExhausted,
      progressInterval
    })
    const { contacts } = simulation
    const readPage = Effect.tap(people, (page) => Effect.sync(() => contacts.addPage(page)))
    for (let pause = simulation.advance(); pause !== "over"; pause = simulation.advance()) {
      if (pause === "contacts") yield* readPage
      if (pause === "journal") yield* journal.flush
      if (pause === "progress") yield* play.onProgress(tally)
      yield* turn
    }
    let read = contacts.read
    const countPage = Effect.tap(people, (page) => Effect.sync(() => void (read += page.length)))
    yield* Effect.repeat(Effect.zipLeft(countPage, turn), { until: (page) => page.length === 0 })
    const unread = read - contacts.taken
    return {
      tally,
      over_at: simulation.overAt ?? now,
      summary: yield* summarizeContacts(contacts, tally, unread),
      read,
      unread,
      journal: yield* journal.close
    }
  })
