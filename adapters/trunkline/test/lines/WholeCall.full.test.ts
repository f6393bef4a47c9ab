import { assert, describe, it } from "@effect/vitest"
import { concatSamples, readWav } from "@trunkline/audio"
import { freePort, hasTools, startBaresip } from "@trunkline/carrier-sip/testing"
import { Effect, Either } from "effect"
import { readFileSync } from "node:fs"
import { type CallEnded, createTrunkline, type PlainModel } from "trunkline"
import { bundled } from "../../../../test/programs/Programs.js"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { heardIn, number, spoken } from "./HostedWorld.js"

const tables = await bundled("examples/agent-tools/src/main.ts")

const handbook = readFileSync(new URL("../../../documents-unpdf/test/files/handbook.pdf", import.meta.url))

const silence = (seconds: number) => new Float32Array(seconds * 8_000)

const ask = (name: string, input: unknown) => ({ toolRequests: [{ id: name, name, arguments: JSON.stringify(input) }] })

/** A model that does what the caller has asked for last, and reads out what a tool has answered. */
const model: PlainModel = {
  generate: async ({ messages }) => {
    const last = messages.at(-1)
    const content = String(last?.content)
    if (last?.role === "tool") {
      if (content.includes("handed over to you")) {
        return ask("transfer_call", { target: "accounts", summary: "An invoice." })
      }
      const days = /within (\d+) days/.exec(content)
      return { text: days === null ? `${content}.` : `Within ${days[1]} days.` }
    }
    if (content.includes("return")) return ask("search_knowledge", { question: "When can I return something?" })
    if (content.includes("table")) return ask("book_table", { people: 2, time: "20:00" })
    return ask("hand_over", { to: "billing", reason: "An invoice" })
  }
}

describe.skipIf(!hasTools("baresip"))(
  "a call over SIP to an agent that does all it can (skipped without baresip)",
  () => {
    it.scopedLive("is answered from a PDF, books over MCP, is handed over and transferred, and its record tells it", (context) =>
      untilOnTime(
        context,
        Effect.gen(function*() {
          const port = yield* freePort()
          const accounts = yield* startBaresip({ sound: silence(120), account: ";answermode=auto" })
          const said = ["When may I return it?", "A table for two, please.", "I have an invoice."]
          const words = yield* Effect.promise(() => Promise.all(said.map((text) => spoken(text))))
          const ends: Array<CallEnded> = []
          const trunkline = yield* Effect.acquireRelease(
            Effect.promise(() =>
              createTrunkline({
                data: ":memory:",
                model,
                mcpServers: [{
                  name: "tables",
                  command: process.execPath,
                  args: [tables, "tables"],
                  connect_seconds: 60
                }],
                agents: [{
                  app_id: "desk",
                  first_message: "Hello.",
                  knowledge: ["handbook"],
                  mcp_servers: ["tables"],
                  hand_overs: [{ app_id: "billing", when: "Invoices" }]
                }, {
                  app_id: "billing",
                  transfers: [{
                    name: "accounts",
                    description: "Invoices",
                    to: `sip:+919876543210@127.0.0.1:${accounts.port}`,
                    kind: "warm",
                    accept_key: "1",
                    hold_message: "Please hold."
                  }]
                }],
                lines: [{
                  connection_id: "line",
                  provider: "sip",
                  phone_numbers: [number],
                  options: {
                    server: `sip:127.0.0.1:${accounts.port}`,
                    local: { address: "127.0.0.1", port },
                    max_lateness_millis: 10_000,
                    nat_latch: true,
                    inbound: { allow: ["127.0.0.1"], aliases: { desk: number } }
                  }
                }],
                voices: [{
                  rate: 8_000,
                  async *speak({ text }) {
                    yield await spoken(text)
                  }
                }],
                transcriber: { transcribe: ({ rate, samples }) => heardIn(rate, samples) },
                onCallEnded: async (call) => void ends.push(call)
              })
            ),
            (started) => Effect.promise(() => started.close())
          )
          yield* Effect.promise(async () => {
            await trunkline.knowledge.add({ collection: "handbook", file: new File([handbook], "handbook.pdf") })
            await trunkline.deployments.create({
              name: "Desk",
              app_id: "desk",
              app_version: 1,
              connection_configs: [{ connection_id: "line", phone_numbers: [number] }]
            })
          })
          const phone = yield* startBaresip({
            sound: concatSamples([silence(5), ...words.flatMap((sound) => [sound, silence(9)]), silence(60)])
          })
          yield* phone.dial(`sip:desk@127.0.0.1:${port}`)
          while (accounts.heardSound() === undefined) yield* Effect.sleep("100 millis")
          yield* Effect.sleep("2 seconds")
          yield* accounts.command("sndcode", "1")
          yield* Effect.sleep("3 seconds")
          yield* phone.command("hangup")
          while (ends.length === 0) yield* Effect.sleep("100 millis")

          const [end] = ends
          const told = (end?.transcript ?? []).map(({ en_text, role, tool_name }) =>
            role === "tool" ? `${tool_name}: ${en_text.slice(0, 60)}` : `${role}: ${en_text}`
          )
          assert.deepStrictEqual(told.filter((line) => !line.startsWith("search_knowledge")), [
            "agent: Hello.",
            `user: ${said[0]}`,
            "agent: Within 30 days.",
            `user: ${said[1]}`,
            "book_table: Table 4 for 2 at 20:00",
            "agent: Table 4 for 2 at 20:00.",
            `user: ${said[2]}`,
            "hand_over: Handed over from desk to billing.",
            "agent: Please hold.",
            "transfer_call: The caller is connected. You have left the call."
          ])
          const { attempt_id = "" } = end ?? {}
          const record = yield* Effect.promise(() => trunkline.attempts.get(attempt_id))
          const uses = record.transcript?.messages.filter(({ role }) => role === "tool") ?? []
          assert.deepStrictEqual(uses.map(({ tool_outcome }) => tool_outcome), ["done", "done", "done", "done"])
          assert.include(uses[0]?.en_text, "Shop handbook")
          assert.deepInclude(uses[2]?.handed_over, { from_app_id: "desk", to_app_id: "billing" })
          assert.deepInclude(uses[3]?.transfer, {
            target: "accounts",
            kind: "warm",
            outcome: "transferred",
            by: "bridge"
          })
          assert.strictEqual(end?.completion_status, "completed")
          const briefing = Either.getOrThrow(readWav(accounts.heardSound() ?? new Uint8Array(), { seconds: 600 }))
          assert.include(yield* Effect.promise(() => heardIn(briefing.rate, briefing.samples)), "An invoice.")
        }),
        undefined,
        "80 seconds"
      ))
  }
)
