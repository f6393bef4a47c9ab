import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { readBootstrap } from "../src/Bootstrap.js"

const good = {
  accounts: [{ account_id: "acme" }],
  workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
  keys: [{ key: "sk_test_suite_aSecretOfTheTestSuite", account_id: "acme" }],
  agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
  connections: [{ connection_id: "sim-1", provider: "simulator", phone_numbers: ["+911140000001"] }]
}

const read = (text: string) => Either.getOrElse(Either.flip(readBootstrap(text)), () => [])
const problemsOf = (changes: Readonly<Record<string, unknown>>) => read(JSON.stringify({ ...good, ...changes }))

describe("a bootstrap file", () => {
  it("that is valid has no problems", () => assert.deepStrictEqual(problemsOf({}), []))

  it("with unknown adapters is rejected with the list of known ones, for all at once", () => {
    assert.deepStrictEqual(
      problemsOf({
        connections: [{ ...good.connections[0], provider: "sip" }],
        model: { kind: "openai", base_url: "http://127.0.0.1:11434/v1" },
        speech: { kind: "espeak" },
        transcriber: { kind: "whisper", base_url: "http://127.0.0.1:9000" },
        mail: { kind: "sendmail", host: "localhost", from: { address: "calls@example.in" } }
      }).toSorted(),
      [
        "connections.0.provider: Must be \"simulator\" or \"http\"",
        "mail.kind: Must be \"smtp\"",
        "model.kind: Must be \"scripted\" or \"openai-compatible\"",
        "speech.kind: Must be \"embedded\" or \"openai-compatible\"",
        "transcriber.kind: Must be \"openai-compatible\""
      ]
    )
    assert.deepStrictEqual(
      problemsOf({ speech: { kind: "openai-compatible", base_url: "http://127.0.0.1:8880", dialect: "coqui" } }),
      [
        "speech.dialect: Must be \"openai\", \"f5\", \"vllm-omni\", \"chatterbox\", \"xtts\" or \"xtts-streaming\""
      ]
    )
  })

  it("that is not JSON is rejected with the line of the error, without any text of the file", () => {
    assert.deepStrictEqual(read("{\n  \"accounts\": [],\n  \"keys\": [\"sk_test_a_b\"],\n}"), [
      "The file is not JSON: there is a mistake in line 4"
    ])
    assert.deepStrictEqual(read("{ \"keys\": sk_test_a_b }"), ["The file is not JSON"])
  })
})
