import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { readConfig, speedOf } from "../../src/server/ServerConfig.js"

const simulated = { connection_id: "sim-1", provider: "simulator", phone_numbers: ["+911140000001"] }
const real = {
  connection_id: "line-1",
  provider: "http",
  phone_numbers: ["+911140000002"],
  options: { base_url: "https://phones.example/v1", api_key_env: "PHONES_KEY", dedupe: { kind: "lookup" } }
}

const trunk = {
  connection_id: "line-2",
  provider: "sip",
  phone_numbers: ["+911140000003"],
  options: { server: "sip:trunk.example" }
}

const read = (connections: ReadonlyArray<unknown>, simulator = {}, environment = { PHONES_KEY: "secret-1" }) =>
  readConfig(
    JSON.stringify({
      accounts: [{ account_id: "acme" }],
      workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
      keys: [{ key: "sk_test_suite_aSecretOfTheTestSuite", account_id: "acme" }],
      agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
      connections,
      simulator
    }),
    environment
  )

const problemsOf = async (...args: Parameters<typeof read>) => Either.getOrThrow(Either.flip(await read(...args)))

describe("the phone lines of a configuration file", () => {
  it("may be simulated or connected over HTTP or SIP; others are rejected with their path", async () => {
    assert.isTrue(Either.isRight(await read([simulated, real, trunk])))
    assert.deepStrictEqual(await problemsOf([simulated, { ...real, provider: "smoke" }]), [
      "connections.1.provider: Must be \"simulator\", \"http\", \"sip\", \"exotel\", \"plivo\", \"smartflo\", \"telnyx\", \"telnyx-relay\", \"twilio\", \"twilio-relay\" or \"vobiz\""
    ])
    assert.deepStrictEqual(await problemsOf([{ ...trunk, options: { server: "trunk.example", inbound: {} } }]), [
      "connections.0.options.server: Must be the SIP URI of a server over UDP, TCP or TLS, such as sip:trunk.example;transport=tls",
      "connections.0.options.inbound: Needs allow or digest: calls of anybody would be taken without one"
    ])
  })

  it("are rejected with numbers that their country cannot have", async () => {
    assert.deepStrictEqual(
      await problemsOf([{ ...simulated, phone_numbers: ["+911140000001", "+9111400000"] }, {
        ...real,
        phone_numbers: ["+1415555267"]
      }]),
      [
        "connections.0.phone_numbers.1: Must have 10 digits after +91, not 8",
        "connections.1.phone_numbers.0: Must have 10 digits after +1, not 9"
      ]
    )
  })

  it("are rejected with invalid options, with a line for each problem and no secret", async () => {
    const odd = { ...real, options: { ...real.options, api_key: "secret-1", dedupe: { kind: "key" } } }
    assert.deepStrictEqual((await problemsOf([odd])).map((line) => line.split(":")[0]), [
      "connections.0.options.api_key",
      "connections.0.options.dedupe.ttl_seconds"
    ])
    assert.notInclude((await problemsOf([odd])).join(), "secret-1")
    assert.deepStrictEqual(await problemsOf([real], {}, { PHONES_KEY: "" }), [
      "connections.0.options.api_key_env: The environment variable PHONES_KEY is not set"
    ])
  })

  it("set the speed of business time to 1 if one is real, unless configured", async () => {
    const speed = async (...args: Parameters<typeof read>) => speedOf(Either.getOrThrow(await read(...args)))
    assert.strictEqual(await speed([simulated]), 60)
    assert.strictEqual(await speed([simulated, real]), 1)
    assert.strictEqual(await speed([simulated, real], { speed: 120 }), 120)
  })
})
