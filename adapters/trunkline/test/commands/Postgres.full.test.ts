import { it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { createTrunkline } from "trunkline"
import { afterAll, assert, describe } from "vitest"
import { emptyDatabase, onPostgres, onServer } from "../../../../test/setup/Postgres.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
afterAll(folder.remove)

const [asha, bilal] = ["+919876543210", "+919876543211"]

/** Tables of the database whose rows hold a text. */
const tablesWith = async (url: string, text: string): Promise<ReadonlyArray<string>> => {
  const tables = await onServer<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
    url
  )
  const found: Array<string> = []
  for (const { name } of tables) {
    const [row] = await onServer(`select 1 from "${name}" t where t::text like '%${text}%' limit 1`, url)
    if (row !== undefined) found.push(name)
  }
  return found
}

onPostgres(() => {
  describe("commands on a database", () => {
    it.scopedLive("migrate it, ask after it, keep its data for some days, and erase a person", () =>
      Effect.flatMap(emptyDatabase, (url) =>
        Effect.promise(async () => {
          const on = (name: string, ...args: ReadonlyArray<string>) => run(name, "--database", url, ...args)
          const before = await on("doctor")
          assert.match(before.out, /FAIL schema .*version 0/)
          const migrated = await on("migrate")
          assert.match(migrated.out, /^The database is at version \d+$/)
          assert.deepStrictEqual(await on("migrate"), migrated)
          assert.match((await on("doctor")).out, /ok {3}schema/)

          const trunkline = await createTrunkline({
            data: join(folder.path, "data"),
            database: url,
            secret: "a secret of the test, of 32 characters",
            agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
            lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
            simulator: { speed: 20 },
            logLevel: "none"
          })
          try {
            for (const to of [asha, bilal]) {
              const call = await trunkline.calls.create({ agent: "reminder", to, variables: { name: "Person" } })
              await call.ended
            }
            assert.isNotEmpty(await tablesWith(url, "9876543210"))
            const erased = await on("erase", "--phone", asha, "--workspace", "main/main")
            assert.match(erased.out, /^Erased the number ending in 3210 from main\/main at \S+: 1 calls, 1 attempts/)
            assert.deepStrictEqual(await tablesWith(url, "9876543210"), [])
            assert.isNotEmpty(await tablesWith(url, "9876543211"))

            const all = { recordings: 0, transcripts: 0, calls: 0, webhooks: 0, cohorts: 0, attempts: 0 }
            assert.include(await trunkline.retention.count(all), { calls: 1, transcripts: 1, attempts: 1 })
            assert.include(await trunkline.retention.run(all), { calls: 1, transcripts: 1, attempts: 1 })
            assert.deepStrictEqual(await tablesWith(url, "9876543211"), [])
          } finally {
            await trunkline.close()
          }
        })))
  })
})

describe("trunkline migrate", () => {
  it("refuses a data folder, and a database that is not there", async () => {
    const alone = await run("migrate")
    assert.deepStrictEqual([alone.code, alone.err.split(":")[0]], [1, "migrate needs --database or TRUNKLINE_DATABASE"])
    const away = await run("migrate", "--database", "postgres://nobody:secret@127.0.0.1:1/none")
    assert.strictEqual(away.code, 1)
    assert.match(away.err, /^the database 127\.0\.0\.1:1\/none cannot be reached/)
    assert.notInclude(away.err, "secret@")
  })
})
