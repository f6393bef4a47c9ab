import { assert, describe, it } from "@effect/vitest"
import { viewColumns } from "@trunkline/warehouse"
import { Effect } from "effect"
import { QuerySchema } from "../../src/index.js"
import { boards } from "./Fixtures.js"

describe("QuerySchema", () => {
  it.effect("describes one view with its column types and descriptions, and the dialect of the warehouse", () =>
    Effect.gen(function*() {
      const { dialect, tables } = yield* QuerySchema.current
      assert.strictEqual(dialect, "sqlite")
      assert.deepStrictEqual(tables.map(({ name }) => name), ["EngagementFactsBoardsView"])
      const columns = tables.flatMap(({ columns }) => columns)
      assert.deepStrictEqual(columns.map(({ name }) => name), viewColumns.map(({ name }) => name))
      const typed = new Map(columns.map(({ name, type }) => [name, type]))
      assert.strictEqual(typed.get("interaction_id"), "Nullable String")
      assert.strictEqual(typed.get("effective_datetime"), "DateTime")
      assert.strictEqual(typed.get("audio_duration"), "Nullable Float")
      for (const { description } of [...tables, ...columns]) assert.match(description, /^\S.*\.$/)
    }).pipe(Effect.provide(boards())))
})
