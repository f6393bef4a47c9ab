import { assert, describe, it } from "@effect/vitest"
import { CampaignStore, CampaignTurns, DialLog, initialPace, type Pace } from "@trunkline/campaigns"
import { campaignFixture } from "@trunkline/campaigns/testing"
import { CohortStore } from "@trunkline/cohorts"
import { pendingCohortFixture } from "@trunkline/cohorts/testing"
import {
  AttemptId,
  type CampaignId,
  CohortId,
  OrgId,
  PhoneNumber,
  Processes,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import { AttemptStore, SlotLeases } from "@trunkline/telephony"
import { attemptFixture as attempt } from "@trunkline/telephony/testing"
import { Context, Effect, Exit, Layer, Scope as EffectScope } from "effect"
import type { Stores } from "../StoresSql.js"

/** The stores of one of the processes that share a database. */
export type ProcessLayer<E> = Layer.Layer<Processes | Stores, E>

/** A process, which leaves the others when the scope closes. */
const join = <E>(layer: ProcessLayer<E>) =>
  Effect.gen(function*() {
    const scope = yield* Effect.acquireRelease(EffectScope.make(), (scope, exit) => EffectScope.close(scope, exit))
    const services = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
    return {
      attempts: Context.get(services, AttemptStore),
      campaigns: Context.get(services, CampaignStore),
      turns: Context.get(services, CampaignTurns) ?? assert.fail("the database is shared"),
      leases: Context.get(services, SlotLeases) ?? assert.fail("the database is shared"),
      cohorts: Context.get(services, CohortStore),
      dials: Context.get(services, DialLog),
      living: Context.get(services, Processes).count,
      leave: EffectScope.close(scope, Exit.void)
    }
  }).pipe(Effect.orDie)

type Joined = Effect.Effect.Success<ReturnType<typeof join>>

const insert = ({ attempts }: Joined, ids: ReadonlyArray<string>) =>
  attempts.insertMany(ids.map((id) => attempt(id, { state: "claimed" })))

const idsOf = (attempts: ReadonlyArray<{ readonly attempt_id: AttemptId }>) =>
  attempts.map(({ attempt_id }) => attempt_id)

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

const open = ({ campaigns }: Joined, id: string) => {
  const campaign = campaignFixture(id, { status: "active" })
  return Effect.as(campaigns.put(scope, campaign), campaign.campaign_id)
}

const campaignsOf = (turns: ReadonlyArray<{ readonly campaign_id: CampaignId }>) =>
  turns.map(({ campaign_id }) => campaign_id)

/**
 * Laws of stores that processes share. The database gives a layer for each test; each of its builds is a process of its own.
 */
export const processesLaws = <E>(
  name: string,
  database: Effect.Effect<ProcessLayer<E>, never, EffectScope.Scope>
): void => {
  /** Two processes on a database of their own, and a way to join them. */
  const twoProcesses = Effect.flatMap(
    database,
    (layer) =>
      Effect.map(Effect.all([join(layer), join(layer)]), ([one, other]) => ({ another: join(layer), one, other }))
  )

  describe(`Processes laws: ${name}: attempts`, () => {
    it.scopedLive("are adopted once, when their process has left, and never from one that lives", () =>
      Effect.gen(function*() {
        const { another, one, other } = yield* twoProcesses
        const third = yield* another
        yield* insert(one, ["a-1", "a-2"])
        yield* one.attempts.insertMany([attempt("a-3", { state: "ended" })])
        yield* insert(other, ["b-1"])
        assert.deepStrictEqual(yield* third.attempts.adopt, [])
        assert.isTrue(yield* other.attempts.isCarriedElsewhere(AttemptId.make("a-1")))
        assert.isFalse(yield* one.attempts.isCarriedElsewhere(AttemptId.make("a-1")))
        assert.isFalse(yield* other.attempts.isCarriedElsewhere(AttemptId.make("a-3")))
        const { user_phone_number } = attempt("a-1")
        const numbers = [user_phone_number, PhoneNumber.make("+919999999999")]
        const busyIn = (scope: Scope) => third.dials.onThePhone(scope, numbers)
        assert.deepStrictEqual(yield* busyIn(scope), new Set([user_phone_number]))
        assert.deepStrictEqual(yield* busyIn(elsewhere), new Set())
        yield* one.leave
        assert.isTrue(yield* other.attempts.isCarriedElsewhere(AttemptId.make("a-1")))
        const adoptions = yield* Effect.all([other.attempts.adopt, third.attempts.adopt], { concurrency: 2 })
        assert.deepStrictEqual(adoptions.map(({ length }) => length).sort(), [0, 2])
        assert.deepStrictEqual(idsOf(adoptions.flat()), [AttemptId.make("a-1"), AttemptId.make("a-2")])
        const [adopter, bystander] = adoptions[0].length > 0 ? [other, third] : [third, other]
        assert.isFalse(yield* adopter.attempts.isCarriedElsewhere(AttemptId.make("a-1")))
        assert.isTrue(yield* bystander.attempts.isCarriedElsewhere(AttemptId.make("a-1")))
      }))

    it.scopedLive("are adopted from a process that lives, when it has left them to others", () =>
      Effect.gen(function*() {
        const { one, other } = yield* twoProcesses
        yield* one.attempts.insertForOthers(attempt("left-1", { state: "pending" }))
        yield* insert(one, ["kept-1"])
        assert.isFalse(yield* other.attempts.isCarriedElsewhere(AttemptId.make("left-1")))
        assert.deepStrictEqual(idsOf(yield* other.attempts.adopt), [AttemptId.make("left-1")])
        assert.isTrue(yield* one.attempts.isCarriedElsewhere(AttemptId.make("left-1")))
        assert.deepStrictEqual(yield* one.attempts.adopt, [])
      }))

    it.scopedLive("are adopted in any number, with the slots of their calls", () =>
      Effect.gen(function*() {
        const { another, one, other } = yield* twoProcesses
        const ids = Array.from({ length: 2_100 }, (_, index) => `many-${String(index).padStart(4, "0")}`)
        yield* insert(one, ids)
        const trunk = { resource: "connection trunk", limit: 10, hadSlots: false, isWanted: false }
        yield* one.leases.settle([{ ...trunk, used: 8 }])
        yield* one.leave
        assert.deepStrictEqual(idsOf(yield* other.attempts.adopt), ids.map((id) => AttemptId.make(id)))
        assert.deepStrictEqual(yield* other.leases.limitNames, ["connection trunk"])
        const third = yield* another
        const [grant] = yield* third.leases.settle([{ ...trunk, used: 0, isWanted: true }])
        assert.deepInclude(grant, { slots: 1 })
      }))
  })

  describe(`Processes laws: ${name}: imports`, () => {
    it.scopedLive("are adopted when their process has left, and uploads are those of their process until then", () =>
      Effect.gen(function*() {
        const { one, other } = yield* twoProcesses
        const running = pendingCohortFixture({ kind: "campaign", id: "camp-1" }, "coh-running")
        const uploading = CohortId.make("coh-uploading")
        yield* one.cohorts.insert(running)
        yield* one.cohorts.expect(uploading)
        assert.deepStrictEqual(yield* one.cohorts.expectedIds, [uploading])
        assert.deepStrictEqual(yield* Effect.all([other.cohorts.adopt, other.cohorts.expectedIds]), [[], []])
        yield* one.leave
        assert.deepStrictEqual(yield* other.cohorts.adopt, [running])
        assert.deepStrictEqual(yield* Effect.all([other.cohorts.adopt, other.cohorts.expectedIds]), [[], [uploading]])
      }))

    it.scopedLive("are adopted from a process that lives, when it has left them to others", () =>
      Effect.gen(function*() {
        const { one, other } = yield* twoProcesses
        const left = pendingCohortFixture({ kind: "campaign", id: "camp-1" }, "coh-left")
        yield* one.cohorts.expect(left.cohort.cohort_id)
        yield* one.cohorts.insertForOthers(left)
        assert.deepStrictEqual(yield* one.cohorts.expectedIds, [])
        assert.deepStrictEqual(yield* other.cohorts.adopt, [left])
        assert.deepStrictEqual(yield* one.cohorts.adopt, [])
      }))
  })

  describe(`Processes laws: ${name}: turns of campaigns`, () => {
    it.scopedLive("belong to one process each, and pass to another one when that leaves", () =>
      Effect.gen(function*() {
        const { one, other } = yield* twoProcesses
        const ids = yield* Effect.forEach(["camp-1", "camp-2", "camp-3"], (id) => open(one, id))
        yield* one.campaigns.put(scope, campaignFixture("camp-4", { status: "ended" }))
        const takes = yield* Effect.all([one.turns.takeFree, other.turns.takeFree], { concurrency: 2 })
        assert.deepStrictEqual(campaignsOf(takes.flat()).sort(), ids)
        const [holder, waiting] = takes[0].length > 0 ? [one, other] : [other, one]
        const campaignIds = campaignsOf(takes[0].length > 0 ? takes[0] : takes[1])
        yield* Effect.forEach(campaignIds.slice(0, 1), (id) => holder.turns.end(id))
        assert.strictEqual(yield* waiting.living, 2)
        yield* holder.leave
        assert.strictEqual(yield* waiting.living, 1)
        assert.deepStrictEqual(campaignsOf(yield* waiting.turns.takeFree).sort(), ids)
      }))

    it.scopedLive("go to a process with clearly fewer calls after a while, and it goes on at the same pace", () =>
      Effect.gen(function*() {
        const { another, one, other } = yield* twoProcesses
        const campaign_id = yield* open(one, "camp-busy")
        const stopping = yield* another
        yield* Effect.all([one.turns.begin, other.turns.begin, stopping.turns.begin])
        yield* stopping.turns.endAll
        yield* insert(other, ["d-1"])
        yield* one.turns.takeFree
        const pace: Pace = { ...initialPace(null), recent: [1_000, 1_250.5], tally: [3, 4], lines: "[]" }
        const handOver = one.turns.handOver({ campaign_id, pace })
        yield* insert(one, ["c-1", "c-2", "c-3", "c-4"])
        assert.isFalse(yield* handOver)
        yield* Effect.repeat(Effect.delay(handOver, "100 millis"), { until: (isOver) => isOver })
        assert.deepStrictEqual(yield* one.turns.takeFree, [])
        assert.deepStrictEqual(yield* other.turns.takeTurns, [{ campaign_id, pace }])
        assert.deepStrictEqual(yield* other.turns.takeTurns, [])
        assert.deepStrictEqual(yield* other.turns.takeFree, [{ campaign_id, pace: null }])
        yield* other.turns.endAll
        assert.deepStrictEqual(yield* one.turns.takeFree, [{ campaign_id, pace: null }])
      }))
  })
}
