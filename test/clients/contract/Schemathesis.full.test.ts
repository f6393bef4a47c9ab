import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createTrunkline, type Trunkline } from "trunkline"

/** Ways to start Schemathesis, a tool in Python that makes requests from an OpenAPI document: `pip install schemathesis`. */
const commands: ReadonlyArray<readonly [file: string, ...words: Array<string>]> = [
  ["schemathesis"],
  ["python3", "-m", "schemathesis.cli"],
  ["python3", "-m", "schemathesis"]
]

/** The command that answers with version 4 or later; earlier ones name their options otherwise. */
const command = commands.find(([file, ...words]) => {
  const { status, stdout } = spawnSync(file, [...words, "--version"], { encoding: "utf8" })
  return status === 0 && Number(/\d+/.exec(stdout)?.[0]) >= 4
})
if (command === undefined) console.log("Skipped: Schemathesis 4 is not installed (pip install schemathesis)")

/** Checks of every answer: it is as the document declares, and no failure of the server. */
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance"
]

/** Operations whose answer has no end, and the one whose bodies are those of carriers. */
const excluded = ["calls.live", "carrierEvents.receive"]

let trunkline: Trunkline
let words: ReadonlyArray<string> = []

beforeAll(async () => {
  trunkline = await createTrunkline({
    data: ":memory:",
    limits: false,
    agents: [{ app_id: "reminder", first_message: "Hello {{name}}" }],
    lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
    simulator: { speed: 60 },
    logLevel: "none"
  })
  const { key } = await trunkline.keys.create({ features: ["beta"] })
  const { url } = await trunkline.listen({ port: 0, host: "127.0.0.1" })
  words = ["run", `${url}/openapi.json`, "--header", `api-subscription-key: ${key}`, "--checks", checks.join(",")]
})
afterAll(() => trunkline?.close())

describe.skipIf(command === undefined)("Schemathesis, where it is installed", () => {
  it("meets no answer that the document does not declare", async () => {
    const [file = "", ...first] = command ?? []
    const options = ["--max-examples", "20", "--phases", "examples,coverage,fuzzing", "--no-color"]
    const child = spawn(file, [
      ...first,
      ...words,
      ...options,
      ...excluded.flatMap((id) => ["--exclude-operation-id", id])
    ])
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said += chunk.toString())
    const [status]: Array<unknown> = await once(child, "exit")
    assert.strictEqual(status, 0, said.slice(-5_000))
  })
})
