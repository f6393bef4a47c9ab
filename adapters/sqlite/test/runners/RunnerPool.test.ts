import { assert, layer } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, Effect, FastCheck, Layer } from "effect"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { databaseOf, makeDatabase, poolWith } from "./Databases.js"

const rejections: ReadonlyArray<readonly [kind: string, text: string]> = [
  ["Rejected", ""],
  ["Rejected", "SELECT FROM"],
  ["Rejected", "SELECT nobody FROM people"],
  ["Rejected", "SELECT json('{')"],
  ["Rejected", "SELECT abs(-9223372036854775807 - 1)"],
  ["Rejected", "SELECT ?"],
  ["Rejected", "SELECT 1\u0000"],
  ["Rejected", `SELECT '${"x".repeat(64 * 1024)}'`],
  ["Rejected", "SELECT 1) UNION SELECT * FROM (SELECT 2"],
  ["UnknownTable", "SELECT * FROM nowhere"],
  ["UnknownTable", "SELECT * FROM other.people"],
  ["UnknownFunction", "SELECT readfile('/etc/passwd')"],
  ["MultipleStatements", "SELECT 1; SELECT 2"],
  ["NotReadOnly", "DELETE FROM kept"],
  ["NotReadOnly", "WITH a AS (SELECT 1) DELETE FROM kept RETURNING *"],
  ["NotReadOnly", "INSERT INTO kept (name) VALUES ('x') RETURNING *"],
  ["NotReadOnly", "/* SELECT */ -- SELECT\n PRAGMA query_only = 0"],
  ["NotReadOnly", "EXPLAIN SELECT 1"],
  ["NotReadOnly", "ATTACH 'other.db' AS other"],
  ["NotReadOnly", "BEGIN"],
  ["NotReadOnly", "VACUUM"]
]

/** One pool for all tests of this file: starting a child takes longer than all of them together. */
class Pool extends Context.Tag("Pool")<Pool, Effect.Effect.Success<ReturnType<typeof poolWith>>>() {}

layer(Layer.scoped(Pool, poolWith()), { excludeTestServices: true })("RunnerPool", (it) => {
  it.scoped("returns rows with column names and their origins", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const result = yield* run("SELECT number, called AS who, 1 + 1, 'x' AS who FROM people ORDER BY number DESC")
      assert.deepStrictEqual(result, {
        columns: [
          { name: "number", origin: { table: "kept", column: "number" }, type: "INTEGER" },
          { name: "who", origin: { table: "kept", column: "name" }, type: "TEXT" },
          { name: "1 + 1", origin: null, type: null },
          { name: "who", origin: null, type: null }
        ],
        rows: [[3, "Zoë", 2, "x"], [2, "Ravi", 2, "x"], [1, "Asha", 2, "x"]],
        truncated: false
      })
    }))

  it.scoped("returns values that JSON can represent", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const { rows } = yield* run("SELECT 9007199254740991, 9007199254740992, -1.5, 1e999, x'00ff', NULL, ''")
      assert.deepStrictEqual(rows, [[9007199254740991, "9007199254740992", -1.5, null, "AP8=", null, ""]])
    }))

  it.scoped("binds whole numbers as integers", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const parameters = [5, 5.5, "x", null, 2n ** 53n, new Uint8Array([1])]
      const { rows } = yield* run(`SELECT ${parameters.map(() => "typeof(?)").join(", ")}`, { parameters })
      assert.deepStrictEqual(rows, [["integer", "real", "text", "null", "integer", "blob"]])
    }))

  it.scoped("reads up to the maximum number of rows, and reports exactly when there are more", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const cases = FastCheck.sample(FastCheck.tuple(FastCheck.nat(12), FastCheck.integer({ min: 1, max: 12 })), 60)
      for (const [total, maxRows] of cases) {
        const text = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n LIMIT ${total}`
        for (const form of [text, `${text};`, `${text} -- end`, `${text} /* open`]) {
          const { rows, truncated } = yield* run(form, { maxRows })
          assert.deepStrictEqual([rows.length, truncated], [Math.min(total, maxRows), total > maxRows], form)
        }
      }
    }))

  it.scoped("truncates results that are too large, and reports it", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const cut = yield* run("SELECT printf('%.*c', 1000, 'x') FROM people", { maxBytes: 2_500 })
      assert.deepStrictEqual([cut.rows.length, cut.truncated], [2, true])
      const whole = yield* run("SELECT printf('%.*c', 1000, 'x') FROM people", { maxBytes: 3_500 })
      assert.deepStrictEqual([whole.rows.length, whole.truncated], [3, false])
      const hindi = yield* run("SELECT replace(printf('%.*c', 1000, 'x'), 'x', 'अ') FROM people", { maxBytes: 3_500 })
      assert.deepStrictEqual([hindi.rows.length, hindi.truncated], [1, true])
    }))

  it.scoped("rejects anything but a single valid SELECT, with the reason", () =>
    Effect.gen(function*() {
      const { file, prepare, run } = yield* Pool
      for (const [kind, text] of rejections) {
        const failure = yield* Effect.flip(run(text))
        if (failure._tag !== "StatementRejected") return assert.fail(`${failure._tag}: ${text}`)
        assert.strictEqual(failure.kind, kind, text)
        assert.notInclude(failure.message, dirname(file))
        assert.isAtMost(failure.message.length, 400)
        const failsOnlyWhenRun = /json|abs/.test(text)
        if (!failsOnlyWhenRun) assert.deepStrictEqual(yield* Effect.flip(prepare(text)), failure)
      }
    }))

  it.scoped("does not quote values of rows when a statement fails on them", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const failure = yield* Effect.flip(run("SELECT json_extract('{}', name) FROM people"))
      assert.strictEqual(failure.message, "bad JSON path")
    }))

  it.scoped("prepares a statement without running it", () =>
    Effect.gen(function*() {
      const { prepare } = yield* Pool
      const columns = yield* prepare(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT sum(x) s FROM n"
      )
      assert.deepStrictEqual(columns, [{ name: "s", origin: null, type: null }])
    }))

  it.scoped("knows the letters of all scripts in trusted statements", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const { rows } = yield* run("SELECT lower('ÉÄΣ'), lower(NULL), lower(5)", { mode: "trusted" })
      assert.deepStrictEqual(rows, [["éäς", null, 5]])
    }))

  it.scoped("reads a file that others write, and one that is not open", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const file = yield* databaseOf("Asha", "Ravi", "Zoë")
      const count = Effect.map(run("SELECT count(*) FROM people", { file }), ({ rows }) => rows[0]?.[0])
      assert.strictEqual(yield* count, 3)
      const writer = new Database(file)
      writer.exec("INSERT INTO kept (name) VALUES ('Meena')")
      assert.strictEqual(yield* count, 4)
      writer.close()
      assert.strictEqual(yield* count, 4)
    }))

  it.scoped("reads the file that has the path now", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const file = yield* databaseOf("Asha")
      yield* run("SELECT 1", { file })
      const other = yield* databaseOf("Only one")
      for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
      renameSync(other, file)
      assert.deepStrictEqual((yield* run("SELECT name FROM people", { file })).rows, [["Only one"]])
    }))

  it.scoped("switches between files", () =>
    Effect.gen(function*() {
      const { run } = yield* Pool
      const files = [yield* databaseOf("First"), yield* databaseOf("Second")]
      const names = yield* Effect.forEach([0, 1, 1, 0], (index) =>
        Effect.map(run("SELECT name FROM people", { file: files[index] ?? "" }), ({ rows }) => rows[0]?.[0]))
      assert.deepStrictEqual(names, ["First", "Second", "Second", "First"])
    }))

  it.scoped("reports why a file is unusable", () =>
    Effect.gen(function*() {
      const { file, run } = yield* Pool
      const fault = (change: Parameters<typeof run>[1]) =>
        Effect.map(Effect.flip(run("SELECT 1 FROM people", change)), (failure) =>
          failure._tag === "FileUnusable" ? failure.kind : failure)
      const noDatabase = `${file}.txt`
      writeFileSync(noDatabase, "no database ".repeat(1_000))
      const text = "SELECT name FROM people WHERE number = 1"
      assert.strictEqual(yield* fault({ file: `${file}.none` }), "Missing")
      assert.strictEqual(yield* fault({ file: dirname(file) }), "Missing")
      assert.strictEqual(yield* fault({ file: noDatabase }), "Damaged")
      assert.strictEqual(yield* fault({ expected: { text, value: "Somebody" } }), "Mismatch")
      assert.strictEqual(yield* fault({ expected: { text: "SELECT x FROM nothing", value: "x" } }), "Damaged")
      const { rows } = yield* run("SELECT 1", { expected: { text, value: "Asha" } })
      assert.deepStrictEqual(rows, [[1]])
    }))

  it.scoped("finds a file that is created later", () =>
    Effect.gen(function*() {
      const { file, run } = yield* Pool
      const later = `${file}.later`
      yield* Effect.flip(run("SELECT 1", { file: later }))
      yield* makeDatabase(later, ["New"])
      assert.deepStrictEqual((yield* run("SELECT name FROM people", { file: later })).rows, [["New"]])
    }))
})
