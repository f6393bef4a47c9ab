import Database from "better-sqlite3"
import { join } from "node:path"
import { createTrunkline, type Trunkline } from "trunkline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/DataCommands.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const data = join(folder.path, "data")
const [asha, bilal] = ["+919876543210", "+919876543211"]

let trunkline: Trunkline

const call = async (to: string) => {
  const started = await trunkline.calls.create({ agent: "reminder", to, variables: { name: "Person" } })
  return (await started.ended).attempt_id
}

beforeAll(async () => {
  trunkline = await createTrunkline({
    data,
    agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
    lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
    simulator: { speed: 20 },
    logLevel: "none"
  })
})
afterAll(async () => {
  await trunkline.close()
  folder.remove()
})

/** Tables whose rows hold a text, by a search through all of them. */
const tablesWith = (text: string): ReadonlyArray<string> => {
  const database = new Database(join(data, "trunkline.db"), { readonly: true })
  const names = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all().map(String)
  const found = names.filter((name) =>
    database.prepare(`select * from "${name}"`).raw().all().some((row) =>
      Array.isArray(row) && row.some((cell) => (Buffer.isBuffer(cell) ? cell.toString() : String(cell)).includes(text))
    )
  )
  database.close()
  return found
}

describe("an erasure by phone number", () => {
  it("leaves nothing of the person in the database, and others as they are", async () => {
    const [mine, others] = [await call(asha), await call(bilal)]
    assert.isNotEmpty(tablesWith("9876543210"))
    const receipt = await trunkline.erase({ phone: asha })
    assert.include(receipt, { complete: true, phone_ending: "3210", workspace: "main/main" })
    assert.include(receipt.erased, { calls: 1, attempts: 1 })
    assert.deepStrictEqual(tablesWith("9876543210"), [])
    assert.notInclude(JSON.stringify(receipt), asha)
    const gone = await trunkline.attempts.get(mine).then(() => "", ({ _tag }) => _tag)
    assert.strictEqual(gone, "NotFound")
    assert.strictEqual((await trunkline.attempts.get(others)).attempt_id, others)
  })

  it("runs beside a server from the command line, with a receipt", async () => {
    await call(asha)
    const { code, out } = await run("erase", "--phone", asha, "--workspace", "main/main", "--data", data)
    assert.strictEqual(code, 0)
    assert.match(out, /^Erased the number ending in 3210 from main\/main at \S+: 1 calls, 1 attempts/)
    assert.deepStrictEqual(tablesWith("9876543210"), [])
  })

  it("leaves the calls of others who have the same identifier, also by the route for erasures", async () => {
    const household = { agent: "reminder", user_identifier: "household-7", variables: { name: "Person" } }
    for (const to of [asha, bilal]) await (await trunkline.calls.create({ ...household, to })).ended
    const { erased_attempts, receipt } = await trunkline.erasures.create({ phone_number: asha })
    assert.strictEqual(erased_attempts, 1)
    assert.include(receipt, { complete: true, phone_ending: "3210" })
    assert.deepStrictEqual(tablesWith("9876543210"), [])
    const facts = await trunkline.erasures.create({ user_identifier: "household-7" })
    assert.strictEqual(facts.erased_attempts, 1)
  })

  it("refuses what is no number or no workspace", async () => {
    assert.match(
      (await run("erase", "--phone", "98", "--workspace", "main/main")).err,
      /^--phone: Must be a phone number/
    )
    assert.match(
      (await run("erase", "--phone", asha, "--workspace", "main")).err,
      /^--workspace: Must be an organisation/
    )
    const wrong = await trunkline.erase({ phone: "98" }).then(() => "", ({ _tag }) => _tag)
    assert.strictEqual(wrong, "Invalid")
  })
})

describe("retention", () => {
  it("counts and deletes what is older, and leaves the rest", async () => {
    await call(bilal)
    const all = { recordings: 0, transcripts: 0, calls: 0, webhooks: 0, cohorts: 0, attempts: 0 }
    const kept = await trunkline.retention.count({ transcripts: 1, calls: 1, attempts: 1 })
    assert.deepStrictEqual(kept, { transcripts: 0, calls: 0, attempts: 0 })
    const counted = await trunkline.retention.count(all)
    assert.include(counted, { calls: 2, transcripts: 2, attempts: 3 })
    const deleted = await trunkline.retention.run(all)
    assert.include(deleted, { transcripts: 2, calls: 2, attempts: 3 })
    const after = await trunkline.retention.count(all)
    assert.deepStrictEqual(Object.values(after).filter((count) => count !== 0), [])
    assert.deepStrictEqual(tablesWith("9876543211"), [])
  })

  it("refuses unknown kinds", async () => {
    const wrong = await trunkline.retention.run({ transcript: 1 } as object).then(() => "", ({ message }) => message)
    assert.match(wrong, /days\.transcript/)
  })
})
