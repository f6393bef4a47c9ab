import { assert, describe, it } from "@effect/vitest"
import { Invalid } from "@trunkline/errors"
import { Cause, Effect, Layer } from "effect"
import { Engine, type MemoryOptions } from "../src/index.js"
import { agents, connections } from "./Fixtures.js"

/** Issues of an engine that fails to start, one line for each. */
const problemsOf = (options: Partial<MemoryOptions>) =>
  Layer.build(Engine.layerMemory({ agents, connections, ...options })).pipe(
    Effect.scoped,
    Effect.sandbox,
    Effect.flip,
    Effect.map((cause) => {
      const failure = Cause.squash(cause)
      return failure instanceof Invalid ? failure.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`) : [failure]
    })
  )

const account = { account_id: "acme" }
const key = { key: "sk_test_desk_aSecretOfTheTestSuite", account_id: "acme" }

describe("starting an engine", () => {
  it.effect("rejects connections whose provider no carrier serves, and names the known providers", () =>
    Effect.gen(function*() {
      const lines = [
        { connection_id: "sim-1", provider: "simulator", phone_numbers: [] },
        { connection_id: "trunk-1", provider: "sip", phone_numbers: ["+911140000002"] },
        { connection_id: "trunk-2", provider: "Simulator", phone_numbers: [] }
      ]
      assert.deepStrictEqual(yield* problemsOf({ connections: lines }), [
        "connections.1.provider: No carrier serves the provider \"sip\" of the connection \"trunk-1\"; known: \"simulator\"",
        "connections.2.provider: No carrier serves the provider \"Simulator\" of the connection \"trunk-2\"; known: \"simulator\""
      ])
    }))

  it.effect("rejects duplicates, and workspaces and keys of unknown accounts", () =>
    Effect.gen(function*() {
      const problems = yield* problemsOf({
        access: {
          accounts: [account, account],
          workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme_" }],
          keys: [key, { ...key, account_id: "other" }]
        }
      })
      assert.deepStrictEqual(problems, [
        "access.accounts.1: acme is given twice",
        "access.keys.1: the public id of a key is given twice",
        "access.workspaces.0.account_id: There is no account \"acme_\"",
        "access.keys.1.account_id: There is no account \"other\""
      ])
    }))

  it.effect("rejects fewer roles than all where no other process shares its stores", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problemsOf({ roles: ["api"] }), [
        "roles: must be all where no other process shares the stores"
      ])
    }))

  it.effect("reports invalid options with their paths", () =>
    Effect.gen(function*() {
      const short = [{ connection_id: "sim-1", provider: "simulator", phone_numbers: ["12"] }]
      assert.deepStrictEqual(yield* problemsOf({ connections: short }), [
        "connections.0.phone_numbers.0: Must be a phone number in E.164, such as +919876543210"
      ])
    }))
})
