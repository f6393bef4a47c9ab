import { assert, layer } from "@effect/vitest"
import { Array, Effect, type Layer, Option } from "effect"
import { noRetries } from "../campaign/RetryPolicy.js"
import { noOutcomes } from "../contacts/AttemptOutcome.js"
import type { Contact } from "../contacts/Contact.js"
import { allow, hold, refuse } from "../contacts/GateResult.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { attempt, busy, contact, decisionOf, enrolled, now, number, ours, retried, talked, theirs } from "./Fixtures.js"

/** The laws of contact transitions. */
export const contactTransitionLaws = <E>(name: string, live: Layer.Layer<DispatchStores, E>) =>
  layer(live)(`DialQueue transitions: ${name}`, (it) => {
    it.effect("claims a waiting contact once", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, line } = yield* enrolled("claim", 1, 2)
        const claims = yield* Effect.all(Array.makeBy(8, () => claim(1)), { concurrency: "unbounded" })
        assert.lengthOf(claims.filter((didWin) => didWin), 1)
        const calling = { state: "calling", attempts: 1, called_from: [ours], attempt_id: attempt(1) } as const
        assert.deepStrictEqual(
          yield* contacts.find(campaign_id, number(1)),
          Option.some(contact(campaign_id, 1, { ...calling, decision: allow("allowed", now) }))
        )
        assert.deepStrictEqual(yield* line, [number(2)])
        assert.isFalse(yield* claim(3))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 1, finished: 0 })
      }))

    it.effect("claims several contacts at once and returns those that were waiting", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, line, log, of, queue, scope } = yield* enrolled("batch", 1, 2, 3, 4)
        yield* claim(2)
        const claims = [4, 2, 9, 1].map((index) => ({ ...of(index), from: index === 4 ? theirs : ours }))
        const attemptIds = yield* queue.claimMany([{ scope, campaign_id, claims, at: now, isDialled: false }])
        assert.deepStrictEqual(attemptIds, new Set([attempt(4), attempt(1)]))
        const none = { scope, campaign_id, claims: [], at: now, isDialled: false }
        assert.deepStrictEqual(yield* queue.claimMany([none]), new Set())
        assert.isNull(yield* log.lastDial(campaign_id))
        const four = Option.getOrThrow(yield* contacts.find(campaign_id, number(4)))
        assert.deepInclude(four, { attempt_id: attempt(4), called_from: [theirs] })
        assert.deepStrictEqual(yield* line, [number(3)])
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 3, finished: 0 })
      }))

    it.effect("claims contacts of several campaigns at once, and counts their dials", () =>
      Effect.gen(function*() {
        const one = yield* enrolled("many", 1, 2, 3)
        const other = yield* enrolled("many-other", 1, 2)
        yield* one.claim(2)
        const claimsOf = ({ of }: typeof one, ...indexes: ReadonlyArray<number>) =>
          indexes.map((index) => ({ ...of(index), from: ours }))
        const claims = [
          { scope: one.scope, campaign_id: one.campaign_id, claims: claimsOf(one, 1, 2), at: now, isDialled: true },
          {
            scope: other.scope,
            campaign_id: other.campaign_id,
            claims: claimsOf(other, 2),
            at: now + 1,
            isDialled: true
          },
          { scope: one.scope, campaign_id: one.campaign_id, claims: claimsOf(one, 3), at: now + 2, isDialled: true }
        ]
        assert.deepStrictEqual(yield* one.queue.claimMany(claims), new Set([1, 2, 3].map(attempt)))
        assert.deepStrictEqual(yield* one.queue.claimMany([]), new Set())
        const three = Option.getOrThrow(yield* one.contacts.find(one.campaign_id, number(3)))
        assert.deepInclude(three, { state: "calling", attempts: 1, called_from: [ours], attempt_id: attempt(3) })
        assert.deepStrictEqual(three.decision, allow("allowed", now + 2))
        const two = Option.getOrThrow(yield* one.contacts.find(one.campaign_id, number(2)))
        assert.strictEqual(two.attempts, 1)
        assert.deepStrictEqual(yield* one.line, [])
        assert.deepStrictEqual(yield* other.line, [number(1)])
        assert.deepStrictEqual(yield* one.contacts.counts(one.campaign_id), { waiting: 0, calling: 3, finished: 0 })
        assert.deepStrictEqual(yield* one.contacts.counts(other.campaign_id), { waiting: 1, calling: 1, finished: 0 })
        const dialsOf = (id: typeof one.campaign_id) =>
          Effect.map(one.log.minutes(id, 0), (minutes) => minutes.map(({ dials }) => dials))
        assert.deepStrictEqual(yield* dialsOf(one.campaign_id), [3])
        assert.deepStrictEqual(yield* dialsOf(other.campaign_id), [1])
        assert.strictEqual(yield* one.log.lastDial(one.campaign_id), now + 2)
      }))

    it.effect("settles a call: back to waiting with a next attempt, finished without one", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, line, settle } = yield* enrolled("settle", 1, 2)
        yield* claim(1)
        yield* settle(1, 200)
        assert.deepStrictEqual(yield* line, [2, 1].map(number))
        const waiting = contact(campaign_id, 1, {
          attempts: 1,
          counters: retried,
          called_from: [ours],
          due_at: 200,
          decision: decisionOf(200),
          last_outcome: busy
        })
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(waiting))
        yield* claim(2)
        yield* settle(2, null)
        assert.isFalse(yield* claim(2))
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 0, finished: 1 })
        yield* claim(1, theirs)
        yield* settle(1, 900)
        yield* claim(1, ours)
        yield* settle(1, null)
        const finalContact: Contact = {
          ...waiting,
          state: "finished",
          due_at: 900,
          attempts: 3,
          called_from: [ours, theirs, ours],
          decision: decisionOf(null),
          last_outcome: talked
        }
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(finalContact))
        const totals = yield* contacts.totals(campaign_id)
        assert.deepStrictEqual(totals.contacts, { waiting: 0, calling: 0, finished: 2 })
        assert.deepStrictEqual(totals.outcomes, { ...noOutcomes, busy: 2, completed: 2 })
      }))

    it.effect("settles many calls of several campaigns at once, each as it would alone", () =>
      Effect.gen(function*() {
        const one = yield* enrolled("settle-many", 1, 2, 3, 4)
        const other = yield* enrolled("settle-many-too", 1)
        yield* Effect.forEach([1, 2, 3], (index) => one.claim(index))
        yield* other.claim(1)
        const completion = {
          outcome: "completed",
          last_outcome: talked,
          decision: decisionOf(null),
          next: null
        } as const
        const again = {
          outcome: "busy",
          last_outcome: busy,
          decision: decisionOf(200),
          next: { due_at: 200, counters: retried }
        } as const
        yield* one.queue.settleMany([
          { ...one.of(1), ...completion },
          { ...one.of(2), ...again },
          { ...other.of(1), ...completion },
          { ...one.of(3), ...completion },
          { ...one.of(1), ...again },
          { ...one.of(4), ...completion }
        ])
        assert.deepStrictEqual(yield* one.line, [4, 2].map(number))
        const totalsOf = ({ campaign_id, contacts }: typeof one) => contacts.totals(campaign_id)
        const { contacts, outcomes } = yield* totalsOf(one)
        assert.deepStrictEqual(contacts, { waiting: 2, calling: 0, finished: 2 })
        assert.deepStrictEqual(outcomes, { ...noOutcomes, busy: 1, completed: 2 })
        assert.deepStrictEqual((yield* totalsOf(other)).contacts, { waiting: 0, calling: 0, finished: 1 })
        const pairs = [[one, 2], [one, 9], [other, 1], [one, 1]] as const
        assert.deepStrictEqual(
          yield* one.queue.retriesOf(
            pairs.map(([{ campaign_id }, index]) => ({ campaign_id, user_phone_number: number(index) }))
          ),
          [retried, null, noRetries, noRetries]
        )
        assert.deepStrictEqual(yield* one.queue.retriesOf([]), [])
      }))

    it.effect("releases a contact to where it was before its claim", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, line, release, settle } = yield* enrolled("release", 1, 2)
        yield* claim(1)
        yield* release(1, 2)
        assert.deepInclude(Option.getOrThrow(yield* contacts.find(campaign_id, number(1))), { state: "calling" })
        yield* release(1)
        yield* release(1)
        const again = contact(campaign_id, 1, { decision: allow("new", now) })
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(again))
        assert.deepStrictEqual(yield* line, [1, 2].map(number))
        yield* claim(1)
        yield* settle(1, 200)
        yield* claim(1, theirs)
        yield* release(1)
        assert.deepInclude(Option.getOrThrow(yield* contacts.find(campaign_id, number(1))), {
          attempts: 1,
          called_from: [ours],
          decision: hold("retry_interval", now, 200)
        })
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 2, calling: 0, finished: 0 })
      }))

    it.effect("settles only the attempt in progress, and once", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, of, queue, settle } = yield* enrolled("stale", 1)
        const stale = {
          ...of(1),
          attempt_id: attempt(99),
          outcome: "completed",
          last_outcome: talked,
          decision: decisionOf(null),
          next: null
        } as const
        yield* queue.settleMany([stale])
        yield* claim(1)
        const calling = yield* contacts.find(campaign_id, number(1))
        yield* queue.settleMany([stale])
        yield* queue.settleMany([{ ...stale, user_phone_number: number(2) }])
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), calling)
        yield* settle(1, 500)
        yield* settle(1, null)
        const totals = yield* contacts.totals(campaign_id)
        assert.deepStrictEqual(totals.contacts, { waiting: 1, calling: 0, finished: 0 })
        assert.deepStrictEqual(totals.outcomes, { ...noOutcomes, busy: 1 })
      }))

    it.effect("defers waiting contacts only", () =>
      Effect.gen(function*() {
        const { campaign_id, claim, contacts, line, queue } = yield* enrolled("defer", 1, 2, 3)
        yield* claim(3)
        const calling = yield* contacts.find(campaign_id, number(3))
        const decision = hold("on_the_phone", now, 400)
        const putOff = [1, 3, 9].map((index) => ({ user_phone_number: number(index), due_at: 400, decision }))
        yield* queue.defer(campaign_id, putOff)
        const waiting = contact(campaign_id, 1, { due_at: 400, decision })
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(waiting))
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(3)), calling)
        assert.deepStrictEqual(yield* line, [2, 1].map(number))
        assert.strictEqual(yield* queue.lastDue(campaign_id), 400)
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 2, calling: 1, finished: 0 })
      }))

    it.effect("finishes waiting contacts for good, with a reason", () =>
      Effect.gen(function*() {
        const { campaign_id, contacts, line, queue, stop } = yield* enrolled("finish", 1, 2)
        yield* stop(1, 1, 9)
        const finalContact = contact(campaign_id, 1, { state: "finished", decision: refuse("stopped", now) })
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(finalContact))
        yield* queue.finish(campaign_id, [number(1)], refuse("past_end", now + 1))
        assert.deepStrictEqual(yield* contacts.find(campaign_id, number(1)), Option.some(finalContact))
        assert.deepStrictEqual(yield* line, [number(2)])
        assert.deepStrictEqual(yield* contacts.counts(campaign_id), { waiting: 1, calling: 0, finished: 1 })
      }))
  })
