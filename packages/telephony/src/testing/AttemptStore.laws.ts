import { assert, layer } from "@effect/vitest"
import { AttemptId, ConnectionId, findOne, OrgId, Transactions } from "@trunkline/kernel"
import { Array, Effect, type Layer, Option } from "effect"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { Attempt, type AttemptResult } from "../call/Attempt.js"
import { attempt, talked, unanswered } from "./AttemptFixtures.js"

const find = (id: AttemptId) => Effect.flatMap(AttemptStore, ({ findMany }) => findOne(findMany, id))

const accept = (attempt_id: AttemptId, provider_call_id: string) =>
  Effect.flatMap(
    AttemptStore,
    ({ acceptMany }) =>
      Effect.map(acceptMany([{ attempt_id, provider_call_id }]), (acceptances) => acceptances.has(attempt_id))
  )

const end = (attempt_id: AttemptId, result: AttemptResult) =>
  Effect.flatMap(AttemptStore, ({ endMany }) => Effect.map(endMany([{ attempt_id, result }]), Array.head))

/** Laws of `AttemptStore`. Each law uses its own attempts, so one layer can serve all laws. */
export const attemptStoreLaws = <E>(name: string, live: Layer.Layer<AttemptStore | Transactions, E>) =>
  layer(live)(`AttemptStore laws: ${name}`, (it) => {
    it.effect("withdraws claimed attempts only", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        for (const state of ["pending", "claimed", "accepted"] as const) {
          const subject = attempt(`withdraw-${state}`, { state })
          yield* store.insertMany([subject])
          assert.strictEqual(yield* store.withdraw(subject.attempt_id), state === "claimed")
          assert.strictEqual(Option.isSome(yield* find(subject.attempt_id)), state !== "claimed")
        }
        assert.isFalse(yield* store.withdraw(AttemptId.make("withdraw-claimed")))
      }))

    it.effect("finds an attempt as it was inserted", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const pendingAttempt = attempt("find")
        const endedAttempt = attempt("find-ended", { state: "ended", provider_call_id: "call-1", result: talked })
        yield* store.insertMany([pendingAttempt])
        yield* store.insertMany([endedAttempt])
        assert.deepStrictEqual(yield* find(pendingAttempt.attempt_id), Option.some(pendingAttempt))
        assert.deepStrictEqual(yield* find(endedAttempt.attempt_id), Option.some(endedAttempt))
        assert.deepStrictEqual(yield* find(AttemptId.make("find-none")), Option.none())
      }))

    it.effect("moves from pending to claimed to accepted to ended and stores the data of each step", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const before = attempt("life")
        const id = before.attempt_id
        yield* store.insertMany([before])
        assert.isTrue(yield* store.claim(id, 5_000))
        const claimedAttempt = new Attempt({ ...before, state: "claimed", attempted_at: 5_000 })
        assert.deepStrictEqual(yield* find(id), Option.some(claimedAttempt))
        assert.isTrue(yield* accept(id, "call-7"))
        const acceptedAttempt = new Attempt({ ...claimedAttempt, state: "accepted", provider_call_id: "call-7" })
        assert.deepStrictEqual(yield* find(id), Option.some(acceptedAttempt))
        const endedAttempt = new Attempt({ ...acceptedAttempt, state: "ended", result: talked })
        assert.deepStrictEqual(yield* end(id, talked), Option.some(endedAttempt))
        assert.deepStrictEqual(yield* find(id), Option.some(endedAttempt))
      }))

    it.effect("claims only pending attempts and accepts only claimed ones", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        for (const state of ["pending", "claimed", "accepted", "ended"] as const) {
          const before = attempt(`only-${state}`, { state })
          yield* store.insertMany([before])
          assert.strictEqual(yield* accept(before.attempt_id, "call-1"), state === "claimed", state)
          const other = attempt(`only-${state}-too`, { state })
          yield* store.insertMany([other])
          assert.strictEqual(yield* store.claim(other.attempt_id, 9), state === "pending", state)
          if (state === "pending") continue
          assert.deepStrictEqual(yield* find(other.attempt_id), Option.some(other))
        }
        assert.isFalse(yield* store.claim(AttemptId.make("only-none"), 9))
        assert.isFalse(yield* accept(AttemptId.make("only-none"), "call-1"))
        assert.deepStrictEqual(yield* find(AttemptId.make("only-none")), Option.none())
      }))

    it.effect("lets one of several concurrent claims succeed", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        yield* store.insertMany([attempt("race")])
        const claims = Array.makeBy(8, (index) => store.claim(AttemptId.make("race"), index))
        const wins = yield* Effect.all(claims, { concurrency: "unbounded" })
        assert.lengthOf(wins.filter((isWon) => isWon), 1)
      }))

    it.effect("ends an attempt once from any state and keeps the first result", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        for (const state of ["pending", "claimed", "accepted"] as const) {
          const before = attempt(`end-${state}`, { state })
          yield* store.insertMany([before])
          const endedAttempt = new Attempt({ ...before, state: "ended", result: unanswered })
          assert.deepStrictEqual(yield* end(before.attempt_id, unanswered), Option.some(endedAttempt))
          assert.deepStrictEqual(yield* end(before.attempt_id, talked), Option.none())
          assert.deepStrictEqual(yield* find(before.attempt_id), Option.some(endedAttempt))
        }
        assert.deepStrictEqual(yield* end(AttemptId.make("end-none"), talked), Option.none())
      }))

    it.effect("erases the transcripts of ended attempts, and nothing else of them", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const ids = ["erased", "kept", "missed", "open"].map((id) => AttemptId.make(`transcript-${id}`))
        for (const id of ids) yield* store.insertMany([attempt(id)])
        for (const [index, result] of [talked, talked, unanswered].entries()) {
          yield* end(ids[index] ?? assert.fail("there are four"), result)
        }
        yield* store.eraseTranscripts(ids.filter((_, index) => index !== 1).concat(AttemptId.make("transcript-none")))
        const results = yield* Effect.forEach(ids, (id) =>
          Effect.map(find(id), Option.match({ onNone: () => "gone", onSome: ({ result }) => result })))
        const interaction = { ...(talked.interaction ?? assert.fail("they talked")), transcript: [] }
        assert.deepStrictEqual(results, [{ ...talked, interaction }, talked, unanswered, null])
      }))

    it.effect("finds, accepts and ends many attempts at once, each as it would alone", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const of = (state: Attempt["state"]) => attempt(`many-${state}`, { state })
        yield* store.insertMany((["pending", "claimed", "accepted", "ended"] as const).map(of))
        const ids = ["claimed", "none", "accepted", "ended", "pending"].map((name) => AttemptId.make(`many-${name}`))
        const attempts = yield* store.findMany(ids)
        assert.deepStrictEqual(attempts.get(of("claimed").attempt_id), of("claimed"))
        assert.sameMembers([...attempts.keys()], ids.filter((id) => id !== "many-none"))
        const acceptedIds = yield* store.acceptMany(
          ids.map((id) => ({ attempt_id: id, provider_call_id: `call of ${id}` }))
        )
        assert.deepStrictEqual([...acceptedIds], [of("claimed").attempt_id])
        const ends = yield* store.endMany([...ids, ...ids].map((id, index) => ({
          attempt_id: id,
          result: index < ids.length ? unanswered : talked
        })))
        assert.deepStrictEqual(ends, [
          new Attempt({
            ...of("claimed"),
            state: "ended",
            provider_call_id: "call of many-claimed",
            result: unanswered
          }),
          new Attempt({ ...of("accepted"), state: "ended", result: unanswered }),
          new Attempt({ ...of("pending"), state: "ended", result: unanswered })
        ])
        const after = yield* store.findMany(ids)
        assert.deepStrictEqual(ends.map(({ attempt_id }) => after.get(attempt_id)), [...ends])
        assert.deepStrictEqual(after.get(of("ended").attempt_id), of("ended"))
        assert.deepStrictEqual([yield* store.endMany([]), yield* store.findMany([])], [[], new Map()])
      }))

    it.effect("lists unfinished attempts of all workspaces by ascending id", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const elsewhere = { org_id: OrgId.make("another"), connection_id: ConnectionId.make("sim-2") }
        yield* store.insertMany([attempt("open-3", { state: "accepted", provider_call_id: "call-3" })])
        yield* store.insertMany([attempt("open-1")])
        yield* store.insertMany([attempt("open-4", { state: "ended", result: talked })])
        yield* store.insertMany([attempt("open-2", { state: "claimed", ...elsewhere })])
        yield* store.insertMany([attempt("open-5")])
        yield* end(AttemptId.make("open-5"), unanswered)
        const mine = (yield* store.unfinished).filter(({ attempt_id }) => attempt_id.startsWith("open-"))
        const whose = ({ campaign_id, connection_id, kind, org_id, workspace_id }: Attempt) => ({
          campaign_id,
          connection_id,
          kind,
          org_id,
          workspace_id
        })
        assert.deepStrictEqual(mine, [
          { ...whose(attempt("open-1")), attempt_id: AttemptId.make("open-1"), state: "pending" },
          { ...whose(attempt("open-2", elsewhere)), attempt_id: AttemptId.make("open-2"), state: "claimed" },
          { ...whose(attempt("open-3")), attempt_id: AttemptId.make("open-3"), state: "accepted" }
        ])
      }))

    it.effect("lists the claimed attempts by ascending id", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        yield* store.insertMany([attempt("claimed-2", { state: "claimed" })])
        yield* store.insertMany([attempt("claimed-1")])
        yield* store.insertMany([attempt("claimed-3", { state: "accepted", provider_call_id: "call-3" })])
        const claimedIds = Effect.map(
          store.claimed,
          (attempts) => attempts.map(({ attempt_id }) => attempt_id).filter((id) => id.startsWith("claimed-"))
        )
        assert.deepStrictEqual(yield* claimedIds, [AttemptId.make("claimed-2")])
        yield* store.claim(AttemptId.make("claimed-1"), 5)
        assert.deepStrictEqual(yield* claimedIds, [AttemptId.make("claimed-1"), AttemptId.make("claimed-2")])
      }))

    it.effect("accepts a call again under the same id of the provider only, as after a lost answer", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const { attempt_id } = attempt("again")
        yield* store.insertMany([attempt("again", { state: "claimed" })])
        assert.isTrue(yield* accept(attempt_id, "call-1"))
        assert.isTrue(yield* accept(attempt_id, "call-1"))
        assert.isFalse(yield* accept(attempt_id, "call-2"))
        yield* end(attempt_id, unanswered)
        assert.isFalse(yield* accept(attempt_id, "call-1"))
      }))

    it.effect("rolls every change back when the transaction fails", () =>
      Effect.gen(function*() {
        const store = yield* AttemptStore
        const { run } = yield* Transactions
        const rollBack = <A, R>(change: Effect.Effect<A, never, R>) =>
          Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        const before = attempt("undone")
        const id = before.attempt_id
        yield* rollBack(store.insertMany([before]))
        assert.deepStrictEqual(yield* find(id), Option.none())
        yield* store.insertMany([before])
        yield* rollBack(Effect.zipRight(store.claim(id, 9), accept(id, "call-1")))
        yield* rollBack(end(id, talked))
        yield* rollBack(
          Effect.zipRight(
            store.insertMany([attempt("undone-too")]),
            store.endMany([{ attempt_id: id, result: talked }])
          )
        )
        assert.deepStrictEqual(yield* find(AttemptId.make("undone-too")), Option.none())
        assert.deepStrictEqual(yield* find(id), Option.some(before))
        assert.isTrue(yield* store.claim(id, 10))
      }))
  })
