import { assert, describe, it } from "@effect/vitest"
import { AccountId, AccountStore, CreditLedger } from "@trunkline/rate-limits"
import { StorageSqlite } from "@trunkline/sqlite"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { jsonOf, temporaryFolder, toolOn } from "./Tool.js"

const folder = temporaryFolder()

/** A new data folder with the account acme, which owns acme/main and acme/second. */
const withAcme = async (name: string, ...options: ReadonlyArray<string>) => {
  const tool = toolOn(join(folder, name))
  const workspaces = ["--workspace", "acme/main", "--workspace", "acme/second"]
  const { code, stderr } = await tool("accounts", "create", "acme", "--init", ...workspaces, ...options)
  assert.strictEqual(code, 0, stderr)
  return tool
}

describe("accounts", () => {
  it("are created in a missing folder only with --init", async () => {
    const data = join(folder, "new", "data")
    const tool = toolOn(data)
    const refused = await tool("accounts", "create", "acme")
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /^There is no database at .*trunkline\.db: .*--init"\n$/)
    assert.isFalse(existsSync(join(folder, "new")))
    const opened = await tool("accounts", "create", "acme", "--init")
    assert.deepStrictEqual([opened.code, opened.stdout], [0, "The account acme was created.\n"])
    assert.strictEqual((await tool("accounts", "create", "other")).code, 0)
  })

  it("are listed with their balances and workspaces", async () => {
    const tool = await withAcme("listed", "--plan", "pro", "--credits", "1000000")
    await tool("accounts", "create", "beta")
    assert.deepStrictEqual(jsonOf(await tool("accounts", "list", "--json")), [
      { account_id: "acme", plan: "pro", balance: 1_000_000, workspaces: ["acme/main", "acme/second"] },
      { account_id: "beta", plan: "starter", balance: null, workspaces: [] }
    ])
    const { stdout } = await tool("accounts", "list")
    assert.match(stdout, /^acme {5}pro {6}1000000 {4}acme\/main,acme\/second$/m)
    assert.match(stdout, /^beta {5}starter {2}unlimited {2}-$/m)
  })

  it("limit the concurrent calls of their workspaces", async () => {
    const tool = await withAcme("limited", "--max-concurrent-calls", "30")
    const refused = await tool("accounts", "update", "acme", "--max-concurrent-calls", "lines")
    assert.deepStrictEqual([refused.code, refused.stderr.split(":")[0]], [
      1,
      "--max-concurrent-calls is a limit of workspaces"
    ])
    const wrong = await tool("accounts", "update", "acme", "--workspace", "acme/main", "--max-concurrent-calls", "0")
    assert.match(wrong.stderr, /Must be a number from 1 to 100000, or lines/)
    const update = ["accounts", "update", "acme", "--workspace", "acme/second"]
    assert.strictEqual((await tool(...update)).code, 0)
    assert.strictEqual((await tool(...update, "--max-concurrent-calls", "lines")).code, 0)
    const workspaces = await Effect.runPromise(
      Effect.flatMap(AccountStore, ({ workspacesOf }) => workspacesOf(AccountId.make("acme"))).pipe(
        Effect.provide(StorageSqlite.layerShared({ file: join(folder, "limited", "trunkline.db") }))
      )
    )
    assert.deepStrictEqual(workspaces.map(({ max_concurrent_calls }) => max_concurrent_calls), [30, undefined])
  })

  it("change their plan and workspaces and keep their credits", async () => {
    const tool = await withAcme("changed", "--plan", "pro", "--credits", "1000000")
    const { code, stdout } = await tool("accounts", "update", "acme", "--plan", "business", "--workspace", "acme/third")
    assert.deepStrictEqual([code, stdout], [0, "The account acme has the plan business.\n"])
    await tool("accounts", "update", "acme")
    assert.deepStrictEqual(jsonOf(await tool("accounts", "list", "--json")), [{
      account_id: "acme",
      plan: "business",
      balance: 1_000_000,
      workspaces: ["acme/main", "acme/second", "acme/third"]
    }])
    const unknown = await tool("accounts", "update", "nobody", "--plan", "pro")
    assert.strictEqual(unknown.code, 1)
    assert.match(unknown.stderr, /^There is no account nobody: /)
    await tool("accounts", "create", "other", "--workspace", "other/main")
    const thief = await tool("accounts", "update", "other", "--plan", "pro", "--workspace", "acme/main")
    assert.strictEqual(thief.code, 1)
    assert.strictEqual(jsonOf(await tool("accounts", "list", "--json"))[1].plan, "starter")
  })

  it("are created once, and never with a workspace of another account", async () => {
    const tool = await withAcme("once", "--plan", "pro")
    const again = await tool("accounts", "create", "acme")
    assert.deepStrictEqual([again.code, again.stdout], [1, ""])
    assert.match(again.stderr, /^The account acme already exists: use "trunkline accounts update" to change it\n$/)
    const thief = await tool("accounts", "create", "thief", "--workspace", "thief/main", "--workspace", "acme/main")
    assert.strictEqual(thief.code, 1)
    assert.match(thief.stderr, /^The workspace acme\/main belongs to acme: /)
    const [acme, ...others] = jsonOf(await tool("accounts", "list", "--json"))
    assert.strictEqual(acme.plan, "pro")
    assert.deepStrictEqual(others, [])
  })
})

describe("keys", () => {
  it("are shown once when they are created and listed without secrets", async () => {
    const tool = await withAcme("shown")
    const creation = await tool("keys", "create", "--account", "acme")
    assert.match(creation.stdout, /^sk_live_[0-9a-f]{12}_\S{43}\n$/)
    const [, , id = "", ...secret] = creation.stdout.trim().split("_")
    assert.strictEqual(creation.stderr, `Store the key now: it cannot be shown again. Its id is ${id}.\n`)
    for (const options of [[], ["--json"]]) {
      const { stdout } = await tool("keys", "list", "--account", "acme", ...options)
      assert.include(stdout, id)
      assert.notInclude(stdout, secret.join("_"))
      assert.notMatch(stdout, /[0-9a-f]{64}/)
    }
  })

  it("have the requested terms", async () => {
    const tool = await withAcme("terms")
    const terms = ["--label", "Desk", "--workspace", "main", "--feature", "beta", "--budget", "5000000/month"]
    const models = ["--model", "core-105b", "--model", "model-g"]
    const creation = await tool("keys", "create", "--account", "acme", "--env", "test", "--json", ...terms, ...models)
    assert.strictEqual(creation.stderr, "")
    const { created_at, key, key_id, ...rest } = jsonOf(creation)
    assert.match(key, /^sk_test_/)
    assert.deepStrictEqual(rest, {
      account_id: "acme",
      label: "Desk",
      workspaces: ["main"],
      features: ["beta"],
      models: ["core-105b", "model-g"],
      budget: { micro_credits: 5_000_000, period: "month" },
      revoked_at: null
    })
    assert.deepStrictEqual(jsonOf(await tool("keys", "list", "--account", "acme", "--json")), [
      { ...rest, created_at, key_id }
    ])
    const { stdout } = await tool("keys", "list", "--account", "acme")
    assert.match(stdout, /Desk +main +beta +core-105b,model-g +5000000\/month +\d{4}-\d\d-\d\dT\S+Z +-$/m)
  })

  it("are revoked by id or by the whole key, which is not printed", async () => {
    const tool = await withAcme("revoked")
    const [first, second] = [
      jsonOf(await tool("keys", "create", "--account", "acme", "--json")),
      jsonOf(await tool("keys", "create", "--account", "acme", "--json"))
    ]
    const byId = await tool("keys", "revoke", "--account", "acme", first.key_id)
    assert.strictEqual(
      byId.stdout,
      `The key ${first.key_id} of acme is revoked: a running server rejects it within 5 seconds.\n`
    )
    const byKey = await tool("keys", "revoke", "--account", "acme", second.key)
    assert.strictEqual(byKey.code, 0)
    assert.include(byKey.stdout, second.key_id)
    assert.notInclude(byKey.stdout, second.key.slice("sk_live_".length + 13))
    const keys: ReadonlyArray<{ readonly revoked_at: string | null }> = jsonOf(
      await tool("keys", "list", "--account", "acme", "--json")
    )
    assert.deepStrictEqual(keys.map(({ revoked_at }) => revoked_at === null), [false, false])
  })

  it("that do not exist are rejected with a hint", async () => {
    const tool = await withAcme("unknown")
    const refusals: ReadonlyArray<readonly [args: ReadonlyArray<string>, why: string]> = [
      [["keys", "create", "--account", "acmee"], `There is no account acmee: "trunkline accounts list" shows`],
      [["keys", "list", "--account", "acmee"], "There is no account acmee: "],
      [["keys", "revoke", "--account", "acmee", "abc"], "There is no account acmee: "],
      [["credits", "show", "acmee"], "There is no account acmee: "],
      [["credits", "grant", "acmee", "5", "--reference", "a"], "There is no account acmee: "],
      [["credits", "usage", "acmee"], "There is no account acmee: "],
      [
        ["keys", "revoke", "--account", "acme", "abc"],
        `acme has no key with this id: "trunkline keys list --account acme" shows its keys`
      ],
      [
        ["keys", "create", "--account", "acme", "--workspace", "main", "--workspace", "mian"],
        "acme has no workspace mian: choose from main, second"
      ]
    ]
    for (const [args, why] of refusals) {
      const { code, stderr, stdout } = await tool(...args)
      assert.deepStrictEqual([code, stdout], [1, ""], args.join(" "))
      assert.isTrue(stderr.startsWith(why), stderr)
      assert.strictEqual(stderr.split("\n").length, 2, stderr)
    }
    assert.deepStrictEqual(jsonOf(await tool("keys", "list", "--account", "acme", "--json")), [])
  })
})

describe("credits", () => {
  it("are granted once per reference", async () => {
    const tool = await withAcme("given", "--credits", "1000")
    const grant = ["credits", "grant", "acme", "500", "--reference", "inv-17"]
    assert.strictEqual((await tool(...grant)).stdout, "acme was granted 500 micro-credits for inv-17.\n")
    const again = await tool(...grant)
    assert.deepStrictEqual([again.code, again.stdout], [
      0,
      "acme was already granted credits for inv-17: nothing was added.\n"
    ])
    const shown = jsonOf(await tool("credits", "show", "acme", "--json"))
    assert.deepStrictEqual([shown.balance, shown.reserved], [1_500, 0])
    const entries: ReadonlyArray<{ readonly reference: string; readonly amount: number }> = shown.entries
    assert.deepStrictEqual(entries.map(({ amount, reference }) => [reference, amount]), [
      ["inv-17", 500],
      ["grant", 1_000]
    ])
    const { stdout } = await tool("credits", "show", "acme")
    assert.match(stdout, /^acme has 1500 micro-credits; 0 are reserved/)
    assert.match(stdout, /grant {5}500 {2}inv-17$/m)
  })

  it("include a hint for an account with unlimited credits", async () => {
    const tool = await withAcme("unlimited")
    const granted = await tool("credits", "grant", "acme", "500", "--reference", "inv-17")
    assert.deepStrictEqual([granted.code, granted.stderr], [
      0,
      "acme has unlimited credits: its balance is not used.\n"
    ])
    assert.match((await tool("credits", "show", "acme")).stdout, /^acme has unlimited credits; /)
  })

  it("show the usage of the requested days", async () => {
    const tool = await withAcme("used")
    const line = {
      account_id: AccountId.make("acme"),
      key_id: "abc",
      day: "2026-11-01",
      api: "chat",
      requests: 2,
      units: { input_token: 10 },
      cost: 20,
      charged: 0
    }
    const lines = [line, { ...line, key_id: null }, { ...line, day: "2026-12-01" }]
    await Effect.runPromise(
      Effect.flatMap(CreditLedger, ({ addUsage }) => Effect.forEach(lines, addUsage)).pipe(
        Effect.provide(StorageSqlite.layerShared({ file: join(folder, "used", "trunkline.db") }))
      )
    )
    const days = ["--from", "2026-11-01", "--to", "2026-11-30"]
    assert.deepStrictEqual(jsonOf(await tool("credits", "usage", "acme", ...days, "--json")), [lines[1], line])
    assert.match((await tool("credits", "usage", "acme", ...days)).stdout, /^2026-11-01 +chat +4 +40 +0 /m)
    assert.match((await tool("credits", "usage", "acme")).stdout, /^total +6 +60 +0 /m)
    const backwards = await tool("credits", "usage", "acme", "--from", "2026-11-02", "--to", "2026-11-01")
    assert.deepStrictEqual([backwards.code, backwards.stderr], [2, "--to: Must not be before --from\n"])
  })
})
