import { assert, describe, it } from "@effect/vitest"
import { MemoryTable, Transactions } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { type EndpointHealth, healthy, type OutboxRow } from "@trunkline/webhooks"
import { webhook } from "@trunkline/webhooks/testing"
import { Effect, FastCheck } from "effect"
import { OutboxQueues, receiverKey } from "../src/outbox/OutboxQueues.js"

const urls = ["https://a.example/", "https://b.example/", "https://c.example/"]
const templates = urls.flatMap((url) => Array.from({ length: 4 }, () => webhook({ url, endpoint: url })))

const time = FastCheck.integer({ min: 0, max: 5 })
const change = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("put" as const),
    row: FastCheck.nat(templates.length - 1),
    due_at: time,
    leased_until: time
  }),
  FastCheck.record({ kind: FastCheck.constant("remove" as const), row: FastCheck.nat(templates.length - 1) }),
  FastCheck.record({
    kind: FastCheck.constant("health" as const),
    row: FastCheck.nat(templates.length - 1),
    paused_until: time,
    disabled_at: FastCheck.constantFrom(null, null, 1)
  }),
  FastCheck.record({ kind: FastCheck.constant("clear" as const) })
)

/** Changes of one transaction, which commits or is rolled back. */
const transaction = FastCheck.record({
  changes: FastCheck.array(change, { maxLength: 8 }),
  commits: FastCheck.boolean()
})

type Change = typeof change extends FastCheck.Arbitrary<infer A> ? A : never

const makeTables = () => {
  const queues = new OutboxQueues((key) => health.get(key) ?? healthy)
  const pending = MemoryTable.make<string, OutboxRow>((id, row) => queues.rowChanged(id, row))
  const health = MemoryTable.make<string, EndpointHealth>((key) => queues.healthChanged(key))
  const apply = (one: Change): Effect.Effect<unknown> => {
    if (one.kind === "clear") return pending.clear()
    const row = templates[one.row]
    if (row === undefined) return Effect.void
    if (one.kind === "remove") return pending.delete(row.webhook_id)
    if (one.kind === "health") return health.set(receiverKey(row), { ...healthy, ...one })
    return pending.set(row.webhook_id, { ...row, due_at: one.due_at, leased_until: one.leased_until })
  }
  return { apply, health, pending, queues }
}

const claimable = ({ due_at, leased_until }: OutboxRow) => Math.max(due_at, leased_until)

const byDue = (a: OutboxRow, b: OutboxRow) => claimable(a) - claimable(b) || (a.webhook_id < b.webhook_id ? -1 : 1)

/** The queues by a scan of all pending webhooks. */
const scan = ({ health, pending }: ReturnType<typeof makeTables>) => {
  const expectedRows = urls.flatMap((url) => {
    const rows = [...pending.values()].filter(({ endpoint }) => endpoint === url).toSorted(byDue)
    const [first] = rows
    if (first === undefined) return []
    const { disabled_at, paused_until } = health.get(receiverKey(first)) ?? healthy
    return [{ first, rows, at: disabled_at === null ? Math.max(claimable(first), paused_until) : 0 }]
  })
  return expectedRows.toSorted((a, b) => a.at - b.at || byDue(a.first, b.first))
}

const headsOf = (queues: ReadonlyArray<{ readonly first: OutboxRow; readonly at: number }>) =>
  queues.map(({ at, first }) => [first.webhook_id, at])

describe("the index of the outbox in memory", () => {
  it.effect.prop(
    "finds what a scan of all webhooks finds, after commits and rollbacks",
    [FastCheck.array(transaction, { maxLength: 12 }), time, FastCheck.nat(3)],
    ([transactions, now, limit]) =>
      Effect.gen(function*() {
        const tables = makeTables()
        const { queues } = tables
        const { run } = yield* Transactions
        for (const { changes, commits } of transactions) {
          const work = Effect.forEach(changes, tables.apply, { discard: true })
          yield* Effect.exit(run(commits ? work : Effect.zipRight(work, Effect.fail("roll back"))))
          const expected = scan(tables)
          const due = expected.filter(({ at }) => at <= now)
          assert.deepStrictEqual(headsOf(queues.due(now, Infinity, () => true)), headsOf(due))
          assert.deepStrictEqual(headsOf(queues.due(now, limit, () => true)), headsOf(due.slice(0, limit)))
          const isOther = ({ first }: { readonly first: OutboxRow }) => first.endpoint !== urls[0]
          assert.deepStrictEqual(
            headsOf(queues.due(now, limit, isOther)),
            headsOf(due.filter(isOther).slice(0, limit))
          )
          assert.strictEqual(queues.find(isOther)?.first, expected.find(isOther)?.first)
          for (const { first, rows } of expected) {
            const until = rows.filter((row) => claimable(row) <= now)
            assert.deepStrictEqual(queues.rowsOf(first, (at) => at <= now), until)
            assert.deepStrictEqual(queues.rowsOf(first, (at) => at <= now, limit), until.slice(0, limit))
            assert.deepStrictEqual(queues.rowsOf(first, () => true), rows)
          }
        }
      }).pipe(Effect.provide(Transactions.layerMemory)),
    { fastCheck: { numRuns: propertyRuns(100) } }
  )
})
