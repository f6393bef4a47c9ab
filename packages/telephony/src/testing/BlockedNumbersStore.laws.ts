import { assert, layer } from "@effect/vitest"
import { OrgId, PhoneNumber, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect, type Layer } from "effect"
import { type BlockedNumber, BlockedNumbersStore } from "../blocked/BlockedNumbersStore.js"

const workspace = (id: string) => new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(id) })
const numberOf = (index: number) => PhoneNumber.make(`+9198765${String(index).padStart(5, "0")}`)

const blockedNumber = (index: number, at = 1_000, change: Partial<BlockedNumber> = {}): BlockedNumber => ({
  phone_number: numberOf(index),
  reason: "O'Neil \"asked\" — नहीं",
  created_at: DateTime.unsafeMake(at),
  created_by: "asha@example.com",
  ...change
})

const inOrder = (numbers: ReadonlyArray<BlockedNumber>) =>
  [...numbers].sort((a, b) => (a.phone_number < b.phone_number ? -1 : 1))

/** Laws of `BlockedNumbersStore`. Each law uses its own workspaces, so one layer can serve all laws. */
export const blockedNumbersStoreLaws = <E>(
  name: string,
  live: Layer.Layer<BlockedNumbersStore | Transactions, E>
) =>
  layer(live)(`BlockedNumbersStore laws: ${name}`, (it) => {
    it.effect("finds the blocked ones among the given numbers, per workspace", () =>
      Effect.gen(function*() {
        const store = yield* BlockedNumbersStore
        const [ours, theirs] = [workspace("find"), workspace("find-elsewhere")]
        const rows = [blockedNumber(1), blockedNumber(2, 2_000, { reason: null })]
        yield* store.add(ours, rows)
        yield* store.add(theirs, [blockedNumber(3)])
        const phones = [numberOf(3), numberOf(2), numberOf(1), numberOf(4)]
        assert.deepStrictEqual(inOrder(yield* store.find(ours, phones)), rows)
        assert.deepStrictEqual(yield* store.find(theirs, phones), [blockedNumber(3)])
        assert.deepStrictEqual(yield* store.find(ours, []), [])
      }))

    it.effect("keeps the first entry of a number that is added again", () =>
      Effect.gen(function*() {
        const store = yield* BlockedNumbersStore
        const ours = workspace("twice")
        yield* store.add(ours, [blockedNumber(1), blockedNumber(1, 2_000, { reason: "again" })])
        yield* store.add(ours, [blockedNumber(1, 3_000, { created_by: "somebody else" }), blockedNumber(2, 3_000)])
        assert.deepStrictEqual(inOrder(yield* store.find(ours, [numberOf(1), numberOf(2)])), [
          blockedNumber(1),
          blockedNumber(2, 3_000)
        ])
        assert.strictEqual((yield* store.list(ours, { limit: 10, offset: 0 })).total, 2)
      }))

    it.effect("lists pages, newest first, ties by ascending number", () =>
      Effect.gen(function*() {
        const store = yield* BlockedNumbersStore
        const ours = workspace("list")
        yield* store.add(ours, [blockedNumber(2), blockedNumber(1), blockedNumber(4, 3_000), blockedNumber(3, 2_000)])
        const page = (limit: number, offset: number) => store.list(ours, { limit, offset })
        assert.deepStrictEqual(yield* page(10, 0), {
          items: [blockedNumber(4, 3_000), blockedNumber(3, 2_000), blockedNumber(1), blockedNumber(2)],
          total: 4
        })
        assert.deepStrictEqual(yield* page(2, 1), { items: [blockedNumber(3, 2_000), blockedNumber(1)], total: 4 })
        assert.deepStrictEqual(yield* page(2, 9), { items: [], total: 4 })
        assert.deepStrictEqual(yield* store.list(workspace("nobody"), { limit: 2, offset: 0 }), { items: [], total: 0 })
      }))

    it.effect("removes a number once and allows it to be added again", () =>
      Effect.gen(function*() {
        const store = yield* BlockedNumbersStore
        const ours = workspace("remove")
        yield* store.add(ours, [blockedNumber(1), blockedNumber(2)])
        assert.isFalse(yield* store.remove(workspace("remove-elsewhere"), numberOf(1)))
        assert.isTrue(yield* store.remove(ours, numberOf(1)))
        assert.isFalse(yield* store.remove(ours, numberOf(1)))
        assert.deepStrictEqual(yield* store.list(ours, { limit: 10, offset: 0 }), {
          items: [blockedNumber(2)],
          total: 1
        })
        yield* store.add(ours, [blockedNumber(1, 9_000)])
        assert.deepStrictEqual(yield* store.find(ours, [numberOf(1)]), [blockedNumber(1, 9_000)])
      }))

    it.effect("adds a thousand numbers at once and finds exactly these among two thousand", () =>
      Effect.gen(function*() {
        const store = yield* BlockedNumbersStore
        const ours = workspace("many")
        const rows = Array.from({ length: 1_000 }, (_, index) => blockedNumber(index))
        yield* store.add(ours, rows)
        const phones = Array.from({ length: 2_000 }, (_, index) => numberOf(index))
        assert.deepStrictEqual(inOrder(yield* store.find(ours, phones)), rows)
        assert.strictEqual((yield* store.list(ours, { limit: 1, offset: 0 })).total, 1_000)
      }))

    it.effect("rolls numbers and counts back when the transaction fails", () =>
      Effect.gen(function*() {
        const store = yield* BlockedNumbersStore
        const { run } = yield* Transactions
        const ours = workspace("undone")
        yield* store.add(ours, [blockedNumber(1)])
        const changes = Effect.zipRight(store.add(ours, [blockedNumber(2)]), store.remove(ours, numberOf(1)))
        yield* Effect.flip(run(Effect.zipRight(changes, Effect.fail("undone"))))
        assert.deepStrictEqual(yield* store.list(ours, { limit: 10, offset: 0 }), {
          items: [blockedNumber(1)],
          total: 1
        })
      }))
  })
