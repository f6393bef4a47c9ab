import { Access } from "@trunkline/engine"
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { assignments, firstDoor, keyNote, variables } from "../../src/server/Pasteable.js"

/** The values of the variables after the lines were pasted into a shell. */
const pasted = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>) => {
  const script = [...lines, ...names.map((name) => `printf '%s\\n' "$${name}"`)].join("\n")
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env: {} }).split("\n").slice(0, -1)
}

const door = { org: "acme & sons", workspace: "main's", key: "sk_test_desk_it's$HOME`id`" }

describe("the lines for the shell", () => {
  it("set W, BASE and KEY, for any ids and keys", () => {
    assert.deepStrictEqual(pasted(variables("http://127.0.0.1:8787", door), ["W", "BASE", "KEY"]), [
      "http://127.0.0.1:8787/v1/orgs/acme%20%26%20sons/workspaces/main's",
      "http://127.0.0.1:8787/api/analytics/v1/acme%20%26%20sons/main's",
      "sk_test_desk_it's$HOME`id`"
    ])
  })

  it("are unquoted if no quotes are needed", () => {
    assert.deepStrictEqual(assignments({ CAMPAIGN: "camp-4d2c6e75e9f4" }), ["CAMPAIGN=camp-4d2c6e75e9f4"])
  })

  it("are for the first key that opens a workspace of its account, and for that workspace", () => {
    const workspaces = [
      { org_id: "acme", workspace_id: "main", account_id: "acme" },
      { org_id: "acme", workspace_id: "desk", account_id: "acme" }
    ]
    const keys = [
      { key: "sk_test_a_stranger", account_id: "other", workspaces: "*" as const },
      { key: "sk_test_b_desk", account_id: "acme", workspaces: ["desk"] },
      { key: "sk_test_c_all", account_id: "acme", workspaces: "*" as const }
    ]
    const config = Schema.decodeUnknownSync(Access)({ accounts: [{ account_id: "acme" }], workspaces, keys })
    assert.deepStrictEqual(firstDoor(config), { org: "acme", workspace: "desk", key: "sk_test_b_desk" })
    assert.isUndefined(firstDoor({ ...config, keys: [] }))
  })

  it("contain no live key, with a note", () => {
    const live = { ...door, key: "sk_live_desk_aSecretOfTheTestSuite" }
    assert.notInclude(variables("http://127.0.0.1:8787", live).join(), "sk_live")
    assert.match(keyNote(live).join(), /live key is not printed/)
    assert.deepStrictEqual(keyNote(door), [])
  })
})
