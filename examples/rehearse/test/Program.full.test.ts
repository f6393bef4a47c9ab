import { assert, describe, it } from "@effect/vitest"
import { RehearsalReport } from "@trunkline/rehearsal"
import { Schema } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../test/programs/Programs.js"

const root = new URL("../../..", import.meta.url)

const program = await bundled("examples/rehearse/src/main.ts")

const execute = (file: string, args: ReadonlyArray<string>) =>
  new Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const child = execFile(
      file,
      args,
      { cwd: root },
      (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr })
    )
  })

/** Runs the script as its user would. */
const runByName = (...words: ReadonlyArray<string>) => execute("npm", ["run", "--silent", "rehearse", "--", ...words])

/** Runs it from the bundle that the tests share, which starts sooner. */
const run = (...words: ReadonlyArray<string>) => execute(process.execPath, [program, ...words])

/** In a folder of its own, which is removed. */
const inFolder = async (use: (path: (name: string) => string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "rehearse-script-"))
  try {
    await use((name) => join(folder, name))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const sample = (name: string) => new URL(`examples/rehearse/sample/${name}`, root).pathname

const read = Schema.decodeUnknownSync(Schema.parseJson(RehearsalReport))

describe("the script that rehearses a campaign", () => {
  it("rehearses the sample without arguments, prints progress, and writes a report", async () => {
    const { status, stderr, stdout } = await runByName("--no-search")
    assert.strictEqual(status, 0, stderr)
    assert.match(stderr, /\[#+\.+\] +\d+ % .* dials/)
    assert.match(stdout, /2 rows of the file are rejected/)
    assert.match(stdout, /Rehearsal of a campaign with 998 people \(seed 1\)/)
    assert.match(stdout, /Log: [\d,]+ lines, SHA-256 [0-9a-f]{64}/)
    assert.notMatch(`${stdout}${stderr}`, /9000000|    at /)
  })

  it("writes JSON and a log, which are the same for the same seed", () =>
    inFolder(async (path) => {
      const words = ["--count", "40", "--no-search", "--json", "--seed", "7", "--lines", "20"]
      const models = ["--callees", sample("callees.json"), "--prices", sample("prices.json")]
      const first = await run(...words, ...models, "--log", path("first.log"))
      const again = await run(...words, ...models, "--log", path("again.log"))
      assert.strictEqual(first.status, 0, first.stderr)
      assert.strictEqual(first.stdout, again.stdout)
      const report = read(first.stdout)
      assert.strictEqual(report.people, 40)
      assert.strictEqual(report.cost?.currency, "INR")
      const log = readFileSync(path("first.log"), "utf8")
      assert.lengthOf(log.trimEnd().split("\n"), report.log.lines)
      assert.strictEqual(readFileSync(path("again.log"), "utf8"), log)
    }))

  it("prints its usage with --help", async () => {
    assert.match((await run("--help")).stdout, /npm run rehearse/)
  })

  const transformation = ["--transformation", sample("transformation.json")]

  /** Files that are wrong, by their names. */
  const wrong = {
    "broken.json": "{",
    "campaign.json": JSON.stringify({ ...JSON.parse(readFileSync(sample("campaign.json"), "utf8")), name: "" }),
    "people.csv": "id,phone\n1,9876543210\n",
    "callees.json": JSON.stringify({ people: { habits: 1 } }),
    "prices.json": JSON.stringify({ currency: "INR", per_minute: [2, 1] }),
    "nobody.csv": readFileSync(sample("people.csv"), "utf8").replace(
      /(?<=\n).*$/s,
      "1,Asha,not a number\n2,Ravi,12\n"
    )
  }

  it.each<readonly [words: ReadonlyArray<string>, complaint: RegExp]>([
    [["--contacts", "people.csv"], /--contacts needs --transformation/],
    [["--contacts", "people.csv", ...transformation], /no column "mobile"/],
    [["--contacts", "nowhere.csv", ...transformation], /nowhere.csv cannot be read: there is no such file/],
    [["--count", "5", "--campaign", "broken.json"], /broken.json is no JSON/],
    [["--count", "5", "--campaign", "campaign.json"], /campaign.json needs a correction: name: /],
    [
      ["--count", "5", "--callees", "callees.json"],
      /callees.json needs a correction: people.habits: is not a known field; did you mean habit\?/
    ],
    [
      ["--count", "5", "--prices", "prices.json"],
      /prices.json needs a correction: per_minute: The lowest price comes first/
    ],
    [["--contacts", "nobody.csv", ...transformation], /nobody.csv has nobody to call: all of its 2 rows are rejected/],
    [["--count", "many"], /--count must be a whole number/],
    [["--count", "5", "--now", "2030-01-01T00:00:00Z"], /over before it begins/],
    [["--unknown"], /--help shows/]
  ])("reports the error in %j in one line", (words, complaint) =>
    inFolder(async (path) => {
      for (const [name, text] of Object.entries(wrong)) writeFileSync(path(name), text)
      const { status, stderr } = await run(
        ...words.map((word) => /^[a-z]+\.(?:csv|json)$/.test(word) ? path(word) : word)
      )
      assert.strictEqual(status, 1)
      assert.match(stderr, complaint)
      assert.lengthOf(stderr.trimEnd().split("\n"), 1)
    }))
})
