import { assert, describe, it } from "@effect/vitest"
import { connectionSettings } from "@trunkline/carrier-http"
import { Either, Redacted } from "effect"

const good = {
  base_url: "https://phones.example.com/v1",
  api_key_env: "KEY",
  dedupe: { kind: "lookup" }
}
const read = (options: Readonly<Record<string, unknown>>) =>
  connectionSettings({ options }, { KEY: "secret-1", EMPTY: "" })

describe("the options of a connection", () => {
  it("require an address, a key and the dedupe support; the rest has defaults", () => {
    const settings = Either.getOrThrow(read(good))
    assert.strictEqual(Redacted.value(settings.apiKey), "secret-1")
    assert.isNull(settings.eventsSecret)
    assert.deepStrictEqual(settings.dedupe, { kind: "lookup", settle_seconds: 60 })
    assert.strictEqual(settings.poll_seconds, 2)
    assert.deepStrictEqual(settings.timeouts, {
      connect_seconds: 3,
      create_seconds: 9,
      request_seconds: 5,
      wait_seconds: 25
    })
  })

  it("are rejected with one line per problem, without values", () => {
    const problems = (options: Readonly<Record<string, unknown>>) => Either.getOrThrow(Either.flip(read(options)))
    assert.deepStrictEqual(problems({ ...good, base_url: "https://user:hunter2@phones.example.com" }), [
      "options.base_url: Must be an http or https URL without user, password, query and fragment"
    ])
    assert.deepStrictEqual(problems({ ...good, api_key_env: "OTHER", events_secret_env: "EMPTY" }), [
      "options.api_key_env: The environment variable OTHER is not set",
      "options.events_secret_env: The environment variable EMPTY is not set"
    ])
    const many = problems({ ...good, api_key: "secret-1", dedupe: { kind: "key" }, timeouts: { create_seconds: 30 } })
    assert.deepStrictEqual(many.map((line) => line.split(":")[0]), [
      "options.api_key",
      "options.dedupe.ttl_seconds",
      "options.timeouts.create_seconds"
    ])
    assert.notInclude(many.join(), "secret-1")
    assert.isNotEmpty(problems({ ...good, dedupe: { kind: "key", ttl_seconds: 1, ttl: 1 } }))
    assert.isNotEmpty(problems({ ...good, dedupe: { kind: "exactly_once" } }))
  })
})
