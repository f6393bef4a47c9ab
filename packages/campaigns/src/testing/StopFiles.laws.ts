import { assert, layer } from "@effect/vitest"
import { CampaignId, type PhoneNumber, Transactions } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { AgentVersions, BlockedNumbers, BlockedNumbersStore, CallRegistry } from "@trunkline/telephony"
import { Array, Effect, FastCheck, Layer, Option } from "effect"
import { refuse } from "../contacts/GateResult.js"
import { Enrolment } from "../enrolment/Enrolment.js"
import { CampaignDialLimits } from "../gate/Blocker.js"
import { Gate } from "../gate/Gate.js"
import { ContactStore } from "../store/ContactStore.js"
import { DialQueue } from "../store/DialQueue.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { Roster } from "../store/Roster.js"
import {
  attempt,
  busy,
  campaign,
  contact,
  decisionOf,
  enrolled,
  now,
  number,
  ours,
  retried,
  scopeOf,
  start
} from "./Fixtures.js"

const scope = scopeOf("stops")

const services = Layer.merge(Enrolment.layer, Gate.layer).pipe(
  Layer.provide(BlockedNumbers.layer),
  Layer.provide(
    Layer.mergeAll(
      BlockedNumbersStore.layerMemory,
      AgentVersions.layerAny,
      CallRegistry.layer,
      CampaignDialLimits.layer
    )
  )
)

/** A campaign for one law, whose roster and stop files grow. */
const stoppable = (name: string) =>
  Effect.gen(function*() {
    const contacts = yield* ContactStore
    const queue = yield* DialQueue
    const { run } = yield* Transactions
    const ownedCampaign = { scope, campaign: campaign(`camp-${name}`) }
    const { campaign_id } = ownedCampaign.campaign
    const roster: Array<ReturnType<typeof contact>> = []
    const stops: Array<PhoneNumber> = []
    const [enrolment, gate] = yield* Effect.all([Enrolment, Gate]).pipe(
      Effect.provide(Layer.provide(services, Roster.layerOf(roster, stops)))
    )
    const of = (index: number) => ({ campaign_id, user_phone_number: number(index), attempt_id: attempt(index) })
    const stopIfListed = (index: number) =>
      Effect.tap(
        Effect.map(gate.exclusion(ownedCampaign, number(index)), (exclusion) => exclusion === "stopped"),
        (isStopped) => isStopped ? queue.finish(campaign_id, [number(index)], refuse("stopped", now)) : Effect.void
      )
    return {
      contacts,
      campaign_id,
      arrive: (index: number) =>
        Effect.suspend(() => {
          roster.push(contact(campaign_id, index))
          return enrolment.enrolMore(ownedCampaign)
        }),
      stop: (index: number) => Effect.sync(() => stops.push(number(index))),
      sweep: enrolment.stopMore(ownedCampaign),
      claim: (index: number) =>
        run(Effect.flatMap(stopIfListed(index), (isStopped) =>
          isStopped
            ? Effect.succeed(false)
            : Effect.map(
              queue.claimMany([{
                scope,
                campaign_id,
                claims: [{ ...of(index), from: ours }],
                at: now,
                isDialled: false
              }]),
              (attemptIds) => attemptIds.has(attempt(index))
            ))),
      retry: (index: number) =>
        run(Effect.zipRight(
          queue.settleMany([{
            ...of(index),
            outcome: "busy",
            last_outcome: busy,
            decision: decisionOf(100),
            next: { due_at: 100, counters: retried }
          }]),
          stopIfListed(index)
        )),
      release: (index: number) => run(Effect.zipRight(queue.release({ ...of(index), at: now }), stopIfListed(index)))
    }
  })

const step = FastCheck.constantFrom("arrive", "claim", "retry", "release", "stop", "sweep")

/** The laws of stop files, for a store and its campaign services. */
export const stopFileLaws = <E>(name: string, live: Layer.Layer<DispatchStores | Transactions, E>) =>
  layer(live)(`Stop files: ${name}`, (it) => {
    let runs = 0
    it.effect.prop(
      "keep all their numbers, and no others, from being claimed once they are complete",
      [FastCheck.array(FastCheck.tuple(step, FastCheck.nat(3)), { maxLength: 40, size: "max" })],
      ([steps]) =>
        Effect.gen(function*() {
          const { arrive, campaign_id, claim, contacts, release, retry, stop, sweep } = yield* stoppable(
            `any-${++runs}`
          )
          const state = new Map<number, "waiting" | "calling">()
          const stopIndexes = new Set<number>()
          for (const [step, index] of steps) {
            if (step === "arrive") {
              yield* arrive(index)
              if (!state.has(index)) state.set(index, "waiting")
            } else if (step === "claim") {
              const callable = state.get(index) === "waiting" && !stopIndexes.has(index)
              assert.strictEqual(yield* claim(index), callable)
              if (callable) state.set(index, "calling")
            } else if (step === "stop") {
              yield* stop(index)
              stopIndexes.add(index)
            } else if (step === "sweep") {
              yield* sweep
            } else {
              yield* step === "retry" ? retry(index) : release(index)
              if (state.has(index)) state.set(index, "waiting")
            }
          }
          while (yield* sweep);
          const counts = { waiting: 0, calling: 0, finished: 0 }
          for (const [index, last] of state) {
            const isFinished = last === "waiting" && stopIndexes.has(index)
            const current = isFinished ? "finished" : last
            counts[current] += 1
            const contact = Option.getOrThrow(yield* contacts.find(campaign_id, number(index)))
            assert.strictEqual(contact.state, current)
            assert.strictEqual(contact.decision.reason === "stopped", isFinished)
          }
          assert.deepStrictEqual(yield* contacts.counts(campaign_id), counts)
        }),
      { fastCheck: { numRuns: propertyRuns(25) } }
    )

    it.effect("finish waiting contacts for good, with a reason", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, queue, settle, stop } = yield* enrolled("stop", 1, 2, 3)
        yield* claim(2)
        yield* claim(3)
        yield* settle(3, null)
        const others = Effect.all([2, 3].map((index) => contacts.find(campaign_id, number(index))))
        const before = yield* others
        for (const _ of ["once", "again"]) yield* stop(1, 2, 3, 4)
        const finalContact = contact(campaign_id, 1, { state: "finished", decision: refuse("stopped", now) })
        yield* contacts.enrol(campaign_id, [contact(campaign_id, 1)], start)
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(finalContact))
        assert.deepStrictEqual(yield* others, before)
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(4)), Option.none())
        assert.isFalse(yield* claim(1))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 0, calling: 1, finished: 2 })
        yield* stop()
        yield* queue.finish(CampaignId.make("camp-stop-other"), [number(2)], refuse("stopped", now))
        assert.deepStrictEqual(yield* others, before)
      }))

    it.effect("stop a number in their campaign only", () =>
      Effect.gen(function*() {
        const one = yield* enrolled("stop-1", 1)
        const two = yield* enrolled("stop-2", 1)
        yield* one.stop(1)
        assert.deepStrictEqual(yield* one.line, [])
        assert.deepStrictEqual(yield* two.line, [number(1)])
      }))

    it.effect("keep contacts that are enrolled as finished out of the queue", () =>
      Effect.gen(function*() {
        const { campaign_id, contacts, line } = yield* enrolled("stopped-before", 2)
        const finalContact = contact(campaign_id, 1, { state: "finished", due_at: 50, decision: refuse("stopped", 50) })
        yield* contacts.enrol(campaign_id, [finalContact], start)
        assert.deepStrictEqual(yield* line, [number(2)])
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(finalContact))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 0, finished: 1 })
      }))

    it.effect("have a stored position, apart from that of the roster", () =>
      Effect.gen(function*() {
        const contacts = yield* ContactStore
        const campaign_id = CampaignId.make("camp-stop-cursor")
        assert.isNull(yield* contacts.stopCursor(campaign_id))
        yield* contacts.setStopCursor(campaign_id, { completed_seq: 2, row: 5 })
        assert.isNull(yield* contacts.cursor(campaign_id))
        yield* contacts.enrol(campaign_id, [contact(campaign_id, 1)], start)
        assert.deepStrictEqual(yield* contacts.stopCursor(campaign_id), { completed_seq: 2, row: 5 })
        yield* contacts.setStopCursor(campaign_id, { completed_seq: 4, row: 1 })
        assert.deepStrictEqual(yield* contacts.stopCursor(campaign_id), { completed_seq: 4, row: 1 })
        assert.deepStrictEqual(yield* contacts.cursor(campaign_id), start)
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 0, finished: 0 })
      }))

    it.effect("finish contacts at once that are enrolled after they have been read", () =>
      Effect.gen(function*() {
        const { arrive, campaign_id, contacts, stop, sweep } = yield* stoppable("late")
        yield* stop(1)
        yield* sweep
        yield* Effect.forEach([1, 2], arrive)
        const row = Option.getOrThrow(yield* contacts.find(campaign_id, number(1)))
        const fields = {
          state: "finished",
          due_at: row.due_at,
          decision: refuse("stopped", row.due_at)
        } as const
        assert.deepStrictEqual(row, contact(campaign_id, 1, fields))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 0, finished: 1 })
      }))

    it.effect("are read to the end in batches, with a stored position after each", () =>
      Effect.gen(function*() {
        const { arrive, campaign_id, contacts, stop, sweep } = yield* stoppable("steps")
        yield* Effect.forEach(Array.range(1, 5), arrive)
        yield* Effect.forEach([...Array.range(100, 600), 2, 4], stop)
        const cursors: Array<number | undefined> = []
        while (yield* sweep) cursors.push((yield* contacts.stopCursor(campaign_id))?.row)
        assert.strictEqual(cursors.at(-1), 503)
        assert.isAbove(cursors.length, 1)
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 3, calling: 0, finished: 2 })
      }))
  })
