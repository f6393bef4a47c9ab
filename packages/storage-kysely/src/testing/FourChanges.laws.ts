import { assert, describe, it } from "@effect/vitest"
import { Board, BoardId, BoardStore, Tab, TabId } from "@trunkline/boards"
import {
  type AttemptOutcome,
  CampaignSpending,
  ContactStore,
  DialLog,
  DialQueue,
  noOutcomes,
  refuse
} from "@trunkline/campaigns"
import { AppId, AttemptId, CampaignId, DeploymentId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Deployment, DeploymentStore } from "@trunkline/telephony"
import { Outbox, ownedEndpoint } from "@trunkline/webhooks"
import { tryResultOf, webhook } from "@trunkline/webhooks/testing"
import { Array, DateTime, Effect, FastCheck, type Scope as EffectScope } from "effect"
import { Settings } from "../processes/Settings.js"
import { contactsOf, inEach, inFirst, joinFour, numberOf, untilStored } from "./FourFixtures.js"
import type { ProcessLayer } from "./Processes.laws.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("four") })
const campaign_id = CampaignId.make("camp-four-changes")
const start = DateTime.unsafeMake(0)
const actor = { type: "api_key", id: "tests" } as const
const authorship = { created_by: actor, created_at: start, updated_by: actor, updated_at: start }

const board = new Board({
  id: BoardId.make("board-four"),
  name: "Four",
  tag: null,
  tabs: [],
  filters: [],
  ...authorship
})

const deployment = new Deployment({
  deployment_id: DeploymentId.make("dep-four"),
  name: "0",
  description: null,
  app_id: AppId.make("support"),
  app_version: 1,
  connection_configs: [],
  channel_direction: "inbound",
  inbound_config: null,
  webhook_config: null,
  status: "active",
  created_by: "tests",
  created_at: start,
  updated_by: null,
  updated_at: start
})

/** End of a contact that was claimed. */
const ends = FastCheck.constantFrom<AttemptOutcome | "not dialled">("completed", "busy", "no_answer", "not dialled")
const endsOf = (seed: number, count: number) => FastCheck.sample(ends, { seed, numRuns: count })

const last = { completion_status: "failed", connectivity_status: null, next_action_status: null } as const

/** Claims contacts and settles or releases each as planned, until none is left; returns the outcomes. */
const callSome = (process: number) =>
  Effect.gen(function*() {
    const contacts = yield* ContactStore
    const queue = yield* DialQueue
    const log = yield* DialLog
    const { runGuarded } = yield* Transactions
    const outcomes: Array<AttemptOutcome> = []
    for (const [round, end] of endsOf(process, 400).entries()) {
      const attempt_id = AttemptId.make(`${process}-${round}`)
      const wins = yield* runGuarded(Effect.gen(function*() {
        const ready = yield* queue.ready(campaign_id, 200, 1)
        const claims = ready.map(({ user_phone_number }) => ({ user_phone_number, attempt_id, from: numberOf(-1) }))
        const attemptIds = yield* queue.claimMany([{ scope, campaign_id, claims, at: 150, isDialled: false }])
        yield* log.addDials(campaign_id, 150, attemptIds.size)
        return claims.filter((claim) => attemptIds.has(claim.attempt_id))
      }))
      const user_phone_number = wins[0]?.user_phone_number
      if (user_phone_number === undefined) {
        if ((yield* contacts.counts(campaign_id)).waiting === 0) break
        continue
      }
      const contact = { campaign_id, user_phone_number, attempt_id }
      if (end === "not dialled") {
        yield* runGuarded(
          Effect.zipRight(queue.release({ ...contact, at: 160 }), log.addDials(campaign_id, 150, -1))
        )
      } else {
        const decision = refuse("done", 170)
        yield* runGuarded(queue.settleMany([{ ...contact, outcome: end, last_outcome: last, decision, next: null }]))
        outcomes.push(end)
      }
    }
    return outcomes
  })

/** Laws of what four processes change at the same time: it is as if they did so one after the other. */
export const fourChangesLaws = <E>(
  name: string,
  database: Effect.Effect<ProcessLayer<E>, never, EffectScope.Scope>
): void => {
  const four = joinFour(database)

  describe(`Laws of changes by four processes: ${name}`, () => {
    it.scopedLive("count each contact, each outcome and each dial of a campaign once", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const people = 120
        const enrol = Effect.flatMap(ContactStore, (contacts) =>
          contacts.enrol(campaign_id, contactsOf(campaign_id, people), { completed_seq: 1, row: 1 }))
        // Every process enrols everybody, as after lost answers.
        yield* inEach(processes, () =>
          enrol)
        const outcomes = (yield* inEach(processes, callSome)).flat()
        yield* inFirst(processes, callSome(4)).pipe(Effect.map((more) => outcomes.push(...more)))
        const tally = { ...noOutcomes }
        for (const outcome of outcomes) tally[outcome] += 1
        const contacts = yield* inFirst(processes, ContactStore)
        const log = yield* inFirst(processes, DialLog)
        const totals = yield* contacts.totals(campaign_id)
        assert.deepStrictEqual(totals.contacts, { waiting: 0, calling: 0, finished: people })
        assert.deepStrictEqual(totals.outcomes, tally)
        assert.deepStrictEqual(yield* log.minutes(campaign_id, 0), [{ minute: 0, dials: people }])
      }))

    it.scopedLive("add up what the calls of a campaign cost, and lose nothing of what is undone", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const spend = (process: number) =>
          Effect.gen(function*() {
            const spending = yield* CampaignSpending
            const { run } = yield* Transactions
            for (const round of Array.range(1, 25)) {
              const cost = { campaign_id, amount: 10 * process + round, isComplete: round !== 7, isCall: true }
              yield* run(spending.addMany([cost, cost]))
              yield* Effect.ignore(run(Effect.zipRight(spending.addMany([cost]), Effect.fail("undone"))))
            }
          })
        yield* inEach(processes, spend)
        const amount = Array.reduce(Array.range(0, 3), 0, (sum, process) => sum + 2 * (250 * process + 325))
        for (const process of processes) {
          const sum = yield* inFirst([process], Effect.flatMap(CampaignSpending, ({ of }) => of(campaign_id)))
          assert.deepStrictEqual(sum, { spent: amount, largest: 55, incomplete: 8 })
        }
      }))

    it.scopedLive("count each failure of a receiver, while all of them get more webhooks", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const [receivers, rounds] = [5, 12]
        const of = { campaign_id, deployment_id: null, attempt_id: AttemptId.make("a"), scope }
        const work = (process: number) =>
          Effect.flatMap(Outbox, ({ enqueueMany, record }) =>
            Effect.forEach(Array.range(1, rounds), (round) => {
              // Each process meets the receivers in another order.
              const rows = Array.makeBy(receivers, (index) => {
                const url = `https://${(index * (process + 1) + round) % receivers}.example/hook`
                return webhook({ ...of, webhook_id: `${process} ${round} ${index}`, url, endpoint: ownedEndpoint(url) })
              })
              return Effect.zipRight(enqueueMany(rows), record(rows.map((row) => tryResultOf(row, 500, 2_000))))
            }))
        yield* inEach(processes, work)
        const { listByCampaign } = yield* inFirst(processes, Outbox)
        const total = processes.length * rounds
        const webhooks = yield* listByCampaign({ scope, campaign_id, limit: 1_000 })
        assert.lengthOf(webhooks, total * receivers)
        assert.deepStrictEqual(Array.dedupe(webhooks.map(({ health }) => health.failures)), [total])
      }))

    it.scopedLive("lose no tab of a board", () =>
      Effect.gen(function*() {
        const processes = yield* four
        yield* inFirst(processes, Effect.flatMap(BoardStore, ({ put }) => put(scope, board)))
        const ids = yield* inEach(processes, (process) =>
          Effect.forEach(Array.range(0, 9), (index) =>
            Effect.gen(function*() {
              const { find, put } = yield* BoardStore
              const { run } = yield* Transactions
              const id = TabId.make(`tab-${process}-${index}`)
              yield* run(Effect.gen(function*() {
                const { tabs, ...rest } = yield* Effect.flatten(find(scope, board.id))
                const tab = new Tab({ id, name: id, position: tabs.length, widgets: [] })
                yield* put(scope, new Board({ ...rest, tabs: [...tabs, tab] }))
              }))
              return id
            }).pipe(Effect.orDie)))
        const contacts = yield* inFirst(
          processes,
          Effect.flatMap(BoardStore, ({ find }) =>
            Effect.flatten(find(scope, board.id)))
        )
        assert.sameMembers(
          contacts.tabs.map(({ id }) =>
            id
          ),
          ids.flat()
        )
        assert.deepStrictEqual(contacts.tabs.map(({ position }) => position), Array.range(0, 39))
      }))

    it.scopedLive("lose no change of a deployment", () =>
      Effect.gen(function*() {
        const processes = yield* four
        yield* inFirst(processes, Effect.flatMap(DeploymentStore, ({ put }) => put(scope, deployment)))
        const find = Effect.flatMap(DeploymentStore, ({ find }) =>
          Effect.orDie(Effect.flatten(find(scope, deployment.deployment_id))))
        const count = Effect.gen(function*() {
          const { put } = yield* DeploymentStore
          const { run } = yield* Transactions
          yield* run(Effect.flatMap(find, (current) =>
            put(scope, new Deployment({ ...current, name: String(Number(current.name) + 1) }))))
        })
        yield* inEach(processes, () =>
          Effect.repeatN(untilStored(count), 9))
        assert.strictEqual((yield* inFirst(processes, find)).name, "40")
      }))

    it.scopedLive("keep one value of each setting", () =>
      Effect.gen(function*() {
        const processes = yield* four
        const values = yield* inEach(processes, (process) =>
          Effect.flatMap(Settings, ({ keep }) =>
            Effect.forEach(Array.range(0, 29), (key) =>
              keep(`key ${key}`, `of ${process}`), { concurrency: 3 })))
        const [first = []] = values
        for (const other of values) {
          assert.deepStrictEqual(other, first)
        }
      }))
  })
}
