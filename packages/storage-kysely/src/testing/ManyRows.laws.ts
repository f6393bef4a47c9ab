import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, type Layer } from "effect"
import { sql } from "kysely"
import { changeRows, insertRows, replaceRows } from "../fast/ManyRows.js"
import { Sql } from "../sql/Sql.js"
import { sideBySide, statement } from "../sql/Statement.js"

const columns = { id: "text", place: "integer", share: "number", note: "text", bytes: "bytes" } as const

/** A row of the table of these laws, in the order of its columns. */
type Row = readonly [id: string, place: number, share: number, note: string | null, bytes: Uint8Array]

const createTable = (bytes: string) => `
  create table if not exists many_rows (
    id text primary key, place bigint not null, share double precision not null, note text, bytes ${bytes} not null,
    state text not null default 'new'
  )
`

const changesOf = Effect.map(Sql, ({ dialect }) => ({
  insert: insertRows<{ readonly id: string; readonly place: number }>(dialect, "many_rows", {
    columns,
    end: "on conflict (id) do nothing returning id, place"
  }),
  replace: replaceRows(dialect, "many_rows", { columns, key: "id", defaults: ["state"] }),
  add: changeRows<{ readonly share: number; readonly state: string }>(dialect, {
    change: "update many_rows set share = share + ?, state = 'changed'",
    where: "id = ? and place <= ?",
    returning: "share, state",
    types: ["number", "text", "integer"],
    key: [1]
  }),
  remove: changeRows(dialect, {
    change: "delete from many_rows",
    where: "id = ? and place = ?",
    types: ["text", "integer"],
    key: []
  })
}))

const withoutNul = ([id, place, share, note, bytes]: Row): Row => [
  id,
  place,
  share,
  note?.replaceAll("\u0000", "") ?? null,
  bytes
]

const allRows = Effect.flatMap(
  Sql,
  ({ query }) =>
    query((db) =>
      sql<
        Record<"id" | "note" | "state", string> & { readonly place: number; readonly share: number; bytes: Uint8Array }
      >`
      select id, place, share, note, state, bytes from many_rows order by id
    `.execute(db)
    )
).pipe(Effect.map(({ rows }) => rows.map((row) => ({ ...row, bytes: [...row.bytes] }))))

const id = FastCheck.constantFrom("a", "b", "c", "d", "e")
const row = FastCheck.tuple(
  id,
  FastCheck.integer({ min: 0, max: 9 }),
  FastCheck.integer({ min: -4, max: 4 }).map((number) => number / 4),
  FastCheck.option(FastCheck.oneof(FastCheck.fullUnicodeString(), FastCheck.constantFrom("\\ud83d", "\"", "🙂", ""))),
  FastCheck.oneof(
    FastCheck.uint8Array({ maxLength: 40 }),
    FastCheck.constantFrom("\\x41", "a\\b", "\"\u0000", "\ufeffé", "{null}").map((text) =>
      new TextEncoder().encode(text)
    )
  )
)
const rows = FastCheck.array(row, { maxLength: 8 })
const additions = FastCheck.array(
  FastCheck.tuple(FastCheck.integer({ min: 1, max: 9 }), id, FastCheck.integer({ min: 0, max: 9 })),
  { maxLength: 8 }
)
const removals = FastCheck.array(FastCheck.tuple(id, FastCheck.integer({ min: 0, max: 9 })), { maxLength: 4 })

/** A statement for each row, in order. */
class RowByRow {
  readonly #rows = new Map<string, ReturnType<typeof modelRow>>()

  insert(entries: ReadonlyArray<Row>) {
    for (const one of entries) if (!this.#rows.has(one[0])) this.#rows.set(one[0], modelRow(one))
  }

  replace(entries: ReadonlyArray<Row>) {
    for (const one of entries) this.#rows.set(one[0], modelRow(one))
  }

  add([share, id, place]: readonly [number, string, number]) {
    const row = this.#rows.get(id)
    if (row === undefined || row.place > place) return undefined
    const next = { ...row, share: row.share + share, state: "changed" }
    this.#rows.set(id, next)
    return { share: next.share, state: next.state }
  }

  remove([id, place]: readonly [string, number]) {
    if (this.#rows.get(id)?.place === place) this.#rows.delete(id)
  }

  get rows() {
    return [...this.#rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }
}

const modelRow = ([id, place, share, note, bytes]: Row) => ({
  id,
  place,
  share,
  note,
  state: "new",
  bytes: [...bytes]
})

/** The laws of statements for many rows: they do what a statement for each row does, in order. */
export const manyRowsLaws = <E>(name: string, live: Layer.Layer<Sql, E>): void => {
  layer(live)(`Statements for many rows: ${name}`, (it) => {
    const empty = Effect.flatMap(Sql, ({ dialect, query }) =>
      Effect.zipRight(
        query((db) => sql.raw(createTable(dialect.kind === "postgres" ? "bytea" : "blob")).execute(db)),
        query((db) => sql`delete from many_rows`.execute(db))
      ))

    it.effect.prop(
      "do what statements for each row do, in order",
      { inserted: rows, added: additions, replaced: rows, removed: removals },
      ({ added, inserted, removed, replaced }) =>
        Effect.gen(function*() {
          yield* empty
          const changes = yield* changesOf
          const database = yield* Sql
          const model = new RowByRow()
          const output = yield* database.statements(() => changes.insert(inserted.map(withoutNul)))
          model.insert(inserted.map(withoutNul))
          assert.sameDeepMembers(
            output.map(({ id, place }) => ({ id, place })),
            model.rows.map(({ id, place }) => ({ id, place }))
          )
          const sums = yield* database.statements(() => changes.add(added))
          assert.deepStrictEqual(
            sums.map((row) => row && { share: row.share, state: row.state }),
            added.map((one) => model.add(one))
          )
          yield* database.statements(() => changes.replace(replaced.map(withoutNul)))
          model.replace(replaced.map(withoutNul))
          assert.deepStrictEqual(yield* allRows, model.rows)
          yield* database.statements(() => changes.remove(removed))
          for (const one of removed) model.remove(one)
          assert.deepStrictEqual(yield* allRows, model.rows)
        }),
      { fastCheck: { numRuns: 40 } }
    )

    it.effect("store halves of surrogate pairs as UTF-8 can", () =>
      Effect.gen(function*() {
        yield* empty
        const { insert } = yield* changesOf
        const { statements } = yield* Sql
        const note = "\ud83d, \\ud83d, \\\ud83d"
        yield* statements(() => insert([["a", 1, 1, note, new Uint8Array()]]))
        assert.deepStrictEqual((yield* allRows).map(({ note }) => note?.replaceAll(/\ufffd+/g, "\ufffd")), [
          "\ufffd, \\ud83d, \\\ufffd"
        ])
      }))

    it.effect("store rows of any length", () =>
      Effect.gen(function*() {
        yield* empty
        const { add, insert } = yield* changesOf
        const { statements } = yield* Sql
        const long = ["a", "b", "c", "d"].map((id): Row => [id, 1, 1, id.repeat(600_000), new Uint8Array(1_000)])
        yield* statements(() => insert(long))
        assert.deepStrictEqual((yield* allRows).map(({ note }) => note), long.map(([, , , note]) => note))
        const sums = yield* statements(() => add(["d", "d", "a"].map((id) => [1, id, 1])))
        assert.deepStrictEqual(sums.map((row) => row?.share), [2, 3, 2])
      }))

    it.effect("run side by side, each script in its order, and return all results", () =>
      Effect.gen(function*() {
        yield* empty
        const { add, insert, remove } = yield* changesOf
        const { statements } = yield* Sql
        yield* statements(() => insert(["a", "b", "c"].map((id): Row => [id, 1, 1, null, new Uint8Array()])))
        const results = yield* statements(() =>
          sideBySide<unknown>([
            add(["a", "a", "a"].map((id) => [1, id, 1])),
            statement("select count(*) as found from many_rows where id = 'b'", []),
            remove([]),
            add([[5, "b", 1]])
          ])
        )
        assert.deepStrictEqual(results.map((result) => Array.isArray(result) ? result.length : "rows"), [
          3,
          "rows",
          0,
          1
        ])
        assert.deepStrictEqual((yield* allRows).map(({ id, share }) => [id, share]), [["a", 4], ["b", 6], ["c", 1]])
        assert.deepStrictEqual(yield* statements(() => sideBySide([])), [])
      }))

    it.effect("do nothing without rows", () =>
      Effect.gen(function*() {
        yield* empty
        const { add, insert, remove, replace } = yield* changesOf
        const { statements } = yield* Sql
        assert.deepStrictEqual(yield* statements(() => insert([])), [])
        assert.deepStrictEqual(yield* statements(() => add([])), [])
        assert.deepStrictEqual(yield* statements(() => remove([])), [])
        assert.deepStrictEqual(yield* statements(() => replace([])), [])
        assert.deepStrictEqual(yield* allRows, [])
      }))
  })
}
