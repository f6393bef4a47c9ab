import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createTrunkline, type Trunkline } from "trunkline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../src/commands/BackupCommands.js"
import { commandsIn, temporaryFolder } from "./Commands.js"

const folder = temporaryFolder()
const run = commandsIn(folder.path)
const data = join(folder.path, "data")
const at = (name: string) => join(folder.path, name)

const options = {
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
  lines: [{ connection_id: "line", provider: "simulator" as const, phone_numbers: ["+911140000001"] }],
  logLevel: "none" as const
}

let trunkline: Trunkline
let attempt = ""

beforeAll(async () => {
  trunkline = await createTrunkline({ data, ...options })
  const call = await trunkline.calls.create({ agent: "reminder", to: "+919876543210", variables: { name: "Asha" } })
  attempt = (await call.ended).attempt_id
  writeFileSync(join(data, "files/rec-1@recording"), "a recording")
})
afterAll(async () => {
  await trunkline.close()
  folder.remove()
})

describe("a backup of a running engine", () => {
  it("holds the database, files and secrets with their hashes, for this user only", async () => {
    const report = await trunkline.backup({ to: at("first") })
    const manifest = JSON.parse(readFileSync(at("first/manifest.json"), "utf8"))
    const paths: ReadonlyArray<string> = manifest.files.map(({ path }: { readonly path: string }) => path)
    assert.deepStrictEqual(paths.toSorted(), ["contact-salt", "files/rec-1@recording", "seal-key", "trunkline.db"])
    assert.strictEqual(report.files, 4)
    assert.strictEqual(statSync(at("first/seal-key")).mode & 0o077, 0)
  })

  it("is restored to an engine with the same calls, whose boards are refilled", async () => {
    assert.strictEqual((await run("backup", "--data", data, "--to", "second")).code, 0)
    const { code, out } = await run("restore", "--from", "second", "--data", "restored")
    assert.strictEqual(code, 0)
    assert.match(out, /Restored 4 files/)
    const restored = await createTrunkline({ data: at("restored"), ...options })
    assert.strictEqual((await restored.attempts.get(attempt)).attempt_id, attempt)
    await restored.close()
  })

  it("goes to an empty folder only", async () => {
    writeFileSync(at("other.txt"), "")
    const { code, err } = await run("backup", "--data", data, "--to", ".")
    assert.strictEqual(code, 1)
    assert.match(err, /is not empty: name a new folder for each backup$/)
    assert.match((await run("backup", "--data", "nowhere", "--to", "third")).err, /There is no database in .*nowhere/)
    assert.isFalse(existsSync(at("third")))
    assert.match((await run("backup", "--data", data)).err, /--to is missing: name a folder/)
  })

  it("is refused for an engine in memory", async () => {
    const inMemory = await createTrunkline({ data: ":memory:", logLevel: "none" })
    const refused = await inMemory.backup({ to: at("fourth") }).then(() => "", String)
    assert.match(refused, /An engine in memory keeps nothing/)
    await inMemory.close()
  })
})

describe("trunkline restore", () => {
  /** The complaint about a changed copy of a backup. */
  const complaintAbout = async (change: (copy: string) => void) => {
    rmSync(at("copy"), { recursive: true, force: true })
    cpSync(at("first"), at("copy"), { recursive: true })
    change(at("copy"))
    const { code, err } = await run("restore", "--from", "copy", "--data", "target")
    assert.strictEqual(code, 1)
    assert.notMatch(err, /\n/)
    assert.deepStrictEqual(readdirSync(folder.path).filter((name) => name.startsWith("target")), [])
    return err
  }

  const withManifest = (change: (manifest: Record<string, unknown>) => object) => (copy: string) => {
    const file = join(copy, "manifest.json")
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")))))
  }

  it("refuses backups that are cut off, changed or incomplete, and leaves nothing behind", async () => {
    assert.match(
      await complaintAbout((copy) => truncateSync(join(copy, "trunkline.db"), 4096)),
      /trunkline\.db is cut off/
    )
    assert.match(
      await complaintAbout((copy) => writeFileSync(join(copy, "files/rec-1@recording"), "b recording")),
      /rec-1@recording has changed since the backup was made/
    )
    assert.match(await complaintAbout((copy) => rmSync(join(copy, "seal-key"))), /seal-key is missing/)
    assert.match(await complaintAbout((copy) => rmSync(join(copy, "manifest.json"))), /it has no manifest\.json/)
  })

  it("refuses folders of other programs, paths that lead out, and newer databases", async () => {
    assert.match(await complaintAbout(withManifest(() => ({ format: "tar" }))), /is not one of a Trunkline backup/)
    const escape = { path: "../escape", bytes: 0, sha256: "0".repeat(64) }
    assert.match(
      await complaintAbout(withManifest((manifest) => ({ ...manifest, files: [escape] }))),
      /files\.0\.path: is no file of a backup/
    )
    assert.match(
      await complaintAbout(withManifest((manifest) => ({ ...manifest, schema_version: 900 }))),
      /its database has version 900, .*: update the software/
    )
  })

  it("refuses a folder in use, and one that holds anything", async () => {
    assert.match((await run("restore", "--from", "first", "--data", data)).err, /another process uses this data folder/)
    assert.match(
      (await run("restore", "--from", "first", "--data", "first")).err,
      /holds data already: move it away first/
    )
    assert.match((await run("restore", "--from", "nowhere")).err, /There is no folder .*nowhere/)
  })
})

describe("trunkline doctor", () => {
  it("finds nothing to do about a fresh folder, and says what to do about a wrong one", async () => {
    const { out } = await run("doctor", "--data", data, "--json")
    const findings: ReadonlyArray<{ readonly name: string; readonly ok: boolean }> = JSON.parse(out)
    const checked = [
      "node",
      "schema",
      "integrity",
      "space",
      "database",
      "log",
      "access",
      "clock",
      "webhooks",
      "contacts"
    ]
    assert.includeMembers(findings.map(({ name }) => name), [...checked, "attempts", "port"])
    assert.deepStrictEqual(findings.filter(({ name, ok }) => !ok && name !== "space"), [])
    const missing = await run("doctor", "--data", "nowhere")
    assert.strictEqual(missing.code, 1)
    assert.match(missing.out, /FAIL database .*none in .*nowhere: name the data folder with --data/)
  })
})
