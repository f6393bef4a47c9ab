import { assert, describe, it } from "@effect/vitest"
import { runCommand } from "@trunkline/cli"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { syntaxOf } from "../src/Syntax.js"
import { temporaryFolder, toolOn } from "./Tool.js"

const folder = temporaryFolder()

describe("a command line", () => {
  it("that is invalid is rejected in one line without argument values, and changes nothing", async () => {
    const secret = "sk_live_abc_secret"
    const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, why: RegExp]> = [
      [[], /^There is no such command: "trunkline --help" lists/],
      [["keys"], /^There is no such command/],
      [["keys", "crate"], /^There is no such command/],
      [["keys", "list"], /^--account: This field is required/],
      [["keys", "list", "--acount", "acme"], /^Unknown option '--acount'.*"trunkline keys list --help" shows/],
      [["keys", "list", "--account"], /^Option '--account <value>' argument missing/],
      [["keys", "revoke", "acme", secret], /^keys revoke takes <key> besides its options: /],
      [["keys", "revoke", "--account", "acme", "sk_live_secret"], /^<key>: Must be the id of a key/],
      [["keys", "create", "--account", "a/b"], /^--account: /],
      [["keys", "create", "--account", "acme", "--budget", "5/year"], /^--budget: Must be micro-credits and a period/],
      [["keys", "create", "--account", "acme", "--feature", "gamma"], /^--feature: Must be "beta"/],
      [["keys", "create", "--account", "acme", "--env", "Prod"], /^--env: /],
      [["accounts", "create", "acme", "--plan", "gold"], /^--plan: Must be /],
      [["accounts", "create", "acme", "--credits", "-5"], /^Option '--credits' argument is ambiguous/],
      [["accounts", "create", "acme", "--credits", "1.5"], /^--credits: Must be a whole number of micro-credits/],
      [["accounts", "create", "acme", "--workspace", "main"], /^--workspace: Must be an organisation and a workspace/],
      [["credits", "grant", "acme", "0", "--reference", "a"], /^<micro-credits>: Must be at least 1/],
      [["credits", "grant", "acme", "5"], /^--reference: This field is required/],
      [["credits", "grant", "acme", "5", "--reference", "usage:1"], /^--reference: Must be text that/],
      [["credits", "usage", "acme", "--from", "2026-02-30"], /^--from: Must be a day, such as 2026-11-30/]
    ]
    for (const [args, why] of wrong) {
      const data = join(folder, "untouched")
      const { code, stderr, stdout } = await runCommand(args, { environment: { TRUNKLINE_DATA: data }, folder })
      assert.deepStrictEqual([code, stdout], [2, ""], args.join(" "))
      assert.match(stderr, why)
      assert.strictEqual(stderr.split("\n").length, 2, stderr)
      assert.notInclude(stderr, "secret")
    }
    assert.isFalse(existsSync(join(folder, "untouched")))
  })

  it("with --help describes its command and every option", async () => {
    for (const [name, { flags }] of Object.entries(syntaxOf)) {
      const { code, stdout } = await runCommand([...name.split(" "), "--help"], { environment: {}, folder })
      assert.strictEqual(code, 0)
      assert.isTrue(stdout.startsWith(`Usage: trunkline ${name} `))
      for (const flag of [...Object.keys(flags), "data", "json", "help"]) assert.include(stdout, ` --${flag}`)
      for (const overview of [["--help"], [name.split(" ")[0] ?? "", "--help"]]) {
        assert.include((await runCommand(overview, { environment: {}, folder })).stdout, `  ${name} `)
      }
    }
  })
})

describe("the data folder", () => {
  it("is named by --data, else by TRUNKLINE_DATA, else .trunkline", async () => {
    const run = (environment: Record<string, string>, ...args: ReadonlyArray<string>) =>
      runCommand(["accounts", "create", "acme", "--init", ...args], { environment, folder })
    await run({ TRUNKLINE_DATA: "by-variable" }, "--data", "by-option")
    await run({ TRUNKLINE_DATA: "by-variable" })
    await run({})
    for (const data of ["by-option", "by-variable", ".trunkline"]) {
      assert.isTrue(existsSync(join(folder, data, "trunkline.db")), data)
    }
  })

  it("is rejected in one line when it is not usable", async () => {
    const file = join(folder, "file")
    writeFileSync(file, "no database")
    const foreign = join(folder, "foreign")
    mkdirSync(foreign)
    writeFileSync(join(foreign, "trunkline.db"), "no database at all, but longer than its header would be".repeat(20))
    const refusals: ReadonlyArray<readonly [data: string, code: number, why: RegExp]> = [
      [file, 1, /choose a folder with --data$/],
      [foreign, 1, /not a database: choose the data folder of a server with --data$/],
      [":memory:", 2, /^--data: Must be a folder/]
    ]
    for (const [data, code, why] of refusals) {
      const refused = await toolOn(data)("accounts", "create", "acme", "--init")
      assert.strictEqual(refused.code, code)
      assert.match(refused.stderr.trimEnd(), why)
      assert.strictEqual(refused.stderr.split("\n").length, 2, refused.stderr)
    }
  })
})
