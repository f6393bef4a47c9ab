import { CampaignRunner, CampaignStore, ContactStore, dialWindow, type SeatedContact } from "@trunkline/campaigns"
import { BusinessTime, type CampaignId, macroTask, VirtualClock } from "@trunkline/kernel"
import { CallLimitsOption, Connection, LiveCalls } from "@trunkline/telephony"
import { Deferred, Duration, Effect, Layer } from "effect"
import { makeOutcomeSampler } from "../../src/callees/OutcomeSampler.js"
import { makeJournal } from "../../src/report/Journal.js"
import { addContact, addNotEnrolled, emptySummary, type UnreachedSummary } from "../../src/report/NeverReached.js"
import { Tally } from "../../src/report/Tally.js"
import { ownedCampaignOf, type RehearsalRun, type RehearsalRunResult } from "../../src/run/RehearsalRun.js"
import { rosterOf } from "./ForwardRoster.js"
import { rehearsalEngine } from "./RehearsalEngine.js"
import { rehearsalProvider, rehearsedLines, silentHandler } from "./RehearsedLines.js"

const connectionsOf = ({ campaign, channels }: RehearsalRun): ReadonlyArray<Connection> =>
  campaign.app_config.connection_configs.map(({ connection_id, phone_numbers }) => {
    const max_channels = channels[connection_id]
    return new Connection({
      connection_id,
      provider: rehearsalProvider,
      phone_numbers,
      options: {},
      ...(max_channels === undefined ? {} : { max_channels })
    })
  })

/** Number of contacts per page. */
const pageSize = 500

/** Summarizes the enrolled contacts at the end of the campaign. */
const summarizeContacts = (
  contacts: typeof ContactStore.Service,
  campaign_id: CampaignId,
  tally: Tally
): Effect.Effect<UnreachedSummary> =>
  Effect.gen(function*() {
    const summary = emptySummary()
    for (let after: number | null = null;;) {
      const page: ReadonlyArray<SeatedContact> = yield* contacts.list(campaign_id, {
        ...allContacts,
        limit: pageSize,
        after
      })
      for (const { contact: { decision, state, user_identifier } } of page) {
        addContact(
          summary,
          { person: Number(user_identifier), state: state === "waiting" ? state : decision.reason },
          tally
        )
      }
      after = page.at(-1)?.seat ?? null
      if (page.length < pageSize) return summary
      yield* BusinessTime.hold(macroTask)
    }
  })

const allContacts = { state: null, reason: null, search: "", before: null }

/** Plays a campaign with the engine itself, in virtual time: what the simulation must agree with, byte for byte. */
export const runOnEngine = (play: RehearsalRun): Effect.Effect<RehearsalRunResult> =>
  Effect.gen(function*() {
    const { campaign, now } = play
    const window = dialWindow(campaign.allowed_schedule)
    const journal = makeJournal(play.sink)
    const tally = new Tally({ journal, window })
    const limits = yield* CallLimitsOption
    const sampleOutcome = makeOutcomeSampler(play.callees, {
      seed: play.seed,
      timezone: window.timezone,
      bounds: { ringMillis: Duration.toMillis(limits.ringTimeout), talkMillis: Duration.toMillis(limits.maxDuration) }
    })
    const owned = ownedCampaignOf(campaign, now)
    const { campaign_id } = owned.campaign
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
      onOver: Effect.flatMap(BusinessTime.now, (at) => Deferred.succeed(over, at))
    })
    const played = Effect.gen(function*() {
      const store = yield* CampaignStore
      yield* store.put(owned.scope, owned.campaign)
      const runner = yield* Effect.fork((yield* CampaignRunner).run)
      const over_at = yield* Effect.raceFirst(Deferred.await(over), runner)
      yield* (yield* LiveCalls).close
      yield* Effect.repeat(people, { until: (some) => some.length === 0 })
      const contacts = yield* ContactStore
      const { taken } = yield* contacts.totals(campaign_id)
      const summary = yield* summarizeContacts(contacts, campaign_id, tally)
      addNotEnrolled(summary, read - taken)
      return { tally, over_at, summary, read, unread: read - taken, journal: yield* journal.close }
    })
    return yield* VirtualClock.run(Effect.scoped(Effect.provide(played, engine)), { start: now })
  })
