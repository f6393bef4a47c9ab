import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../test/programs/Programs.js"

/** Gives a folder of its own, which is removed. */
const inFolder = (use: (folder: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), "cohort-script-"))
  try {
    use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs the script as its user would. */
const runByName = (...words: ReadonlyArray<string>) =>
  spawnSync("npm", ["start", "--silent", "-w", "@trunkline/example-script-cohort", "--", ...words], {
    cwd: new URL("../../..", import.meta.url),
    encoding: "utf8"
  })

const program = await bundled("examples/script-cohort/src/main.ts")

/** Runs it from the bundle that the tests share, which starts sooner. */
const run = (...words: ReadonlyArray<string>) => spawnSync(process.execPath, [program, ...words], { encoding: "utf8" })

describe("the script that cleans a CSV", () => {
  it(
    "writes the people with their numbers in E.164, and the rejected rows with their reasons",
    () =>
      inFolder((folder) => {
        const { status, stderr, stdout } = runByName("--out", folder)
        assert.strictEqual(status, 0)
        assert.match(stderr, /100 %: 10 rows read, 5 rejected/)
        assert.match(stdout, /10 rows: 5 right/)
        const clean = readFileSync(join(folder, "people.clean.csv"), "utf8").split("\n")
        assert.strictEqual(
          clean[0],
          "user_phone_number,user_identifier,customer_name,city,balance,due_date,initial_language_name"
        )
        assert.strictEqual(clean[1], "+919876543210,1,Asha Rao,Bengaluru,\"1,25,000\",05 Dec 2026,Hindi")
        const rejected = readFileSync(join(folder, "people.rejected.csv"), "utf8").trimEnd().split("\n")
        assert.deepStrictEqual(rejected.map((line) => line.slice(line.lastIndexOf(",") + 1)), [
          "rejected_reason",
          "invalid_phone_number;phone_scientific_notation",
          "duplicate_phone_number",
          "missing_required:customer_name",
          "transform_failed:balance",
          "invalid_phone_number"
        ])
      })
  )

  it("reports errors in its files", () =>
    inFolder((folder) => {
      writeFileSync(join(folder, "people.csv"), "id,phone\n1,9876543210\n")
      writeFileSync(join(folder, "map.json"), "{\"phone_number\":{\"column_name\":\"mobile\"}}")
      const misfit = run(join(folder, "people.csv"), join(folder, "map.json"))
      assert.strictEqual(misfit.status, 1)
      assert.match(misfit.stderr, /no column "mobile"/)
      const missing = run(join(folder, "nowhere.csv"), join(folder, "map.json"))
      assert.strictEqual(missing.status, 1)
      assert.match(missing.stderr, /nowhere.csv cannot be used/)
      assert.notInclude(missing.stderr, "    at ")
      const folderForFile = run(folder, join(folder, "map.json"))
      assert.match(folderForFile.stderr, /no file/)
      assert.match(run("--unknown").stdout, /Cleans a CSV/)
    }))
})
