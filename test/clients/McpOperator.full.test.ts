import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { type RunningServer, serve } from "@trunkline/node-http"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../adapters/trunkline/bin/trunkline.mjs", import.meta.url))

let server: RunningServer | undefined
beforeAll(async () => {
  server = await serve(testEngineWith({}), { port: 0 })
})
afterAll(async () => server?.close())

interface Assistant {
  readonly names: ReadonlyArray<string>
  readonly use: (
    name: string,
    args?: Record<string, unknown>
  ) => Promise<{ readonly text: string; readonly isError: boolean }>
}

/** Runs a test as an assistant with the official client, by either era of the protocol. */
const withAssistant = async (
  mode: "auto" | "legacy",
  args: ReadonlyArray<string>,
  test: (assistant: Assistant) => Promise<void>,
  key: string = testKeys.main
) => {
  const client = new Client({ name: "assistant", version: "1" }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", "--url", server?.url ?? "", "--workspace", "acme/main", ...args],
      env: { ...process.env, TRUNKLINE_KEY: key } as Record<string, string>,
      stderr: "inherit"
    })
  )
  const { tools } = await client.listTools()
  await test({
    names: tools.map(({ name }) => name),
    use: async (name, given = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: given })
      const [block] = content
      return { text: block?.type === "text" ? block.text : "", isError }
    }
  })
  await client.close()
}

describe.each(["auto", "legacy"] as const)("an assistant with the official client (%s)", (mode) => {
  it("lists campaigns, asks for their progress, and queries calls", () =>
    withAssistant(mode, [], async ({ names, use }) => {
      assert.includeMembers([...names], ["list_campaigns", "why_not_called", "get_call", "query", "pause_campaign"])
      const campaigns = await use("list_campaigns")
      assert.deepStrictEqual([campaigns.isError, Array.isArray(JSON.parse(campaigns.text))], [false, true])
      const { isError, text } = await use("query", { sql: "select 1 as one" })
      assert.isFalse(isError, text)
    }))

  it("is told what is wrong with arguments and ids", () =>
    withAssistant(mode, ["--read-only"], async ({ names, use }) => {
      assert.notInclude(names, "pause_campaign")
      const wrong = await use("list_campaigns", { limit: 1_000 })
      assert.isTrue(wrong.isError)
      assert.match(wrong.text, /limit/)
      const unknown = await use("campaign_progress", { campaign_id: "no-such-campaign" })
      assert.isTrue(unknown.isError)
      assert.isBelow(unknown.text.length, 500)
    }))
})

describe("an assistant with a wrong key", () => {
  it("is told so", () =>
    withAssistant("auto", [], async ({ use }) => {
      const { isError, text } = await use("list_campaigns")
      assert.isTrue(isError)
      assert.match(text, /refuses the key/)
    }, "sk_test_wrong"))
})
