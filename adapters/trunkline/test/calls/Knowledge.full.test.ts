import { assert, describe, it } from "@effect/vitest"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createTrunkline, type PlainModel } from "trunkline"
import { call, line, withFolder, withTrunkline } from "../Fixtures.js"

const handbook = new File(
  [readFileSync(new URL("../../../documents-unpdf/test/files/handbook.pdf", import.meta.url))],
  "handbook.pdf",
  { type: "application/pdf" }
)

/** A model that looks a question up, says the first passage of the result, and ends the call. */
const asking = (question: string): PlainModel => ({
  generate: async ({ messages, tools }) => {
    const last = messages.at(-1)
    if (last?.role !== "tool") {
      const name = tools?.find((tool) => tool.name === "search_knowledge")?.name ?? "no_such_tool"
      return { text: "", toolRequests: [{ id: "1", name, arguments: JSON.stringify({ question }) }] }
    }
    const { passages: [first] = [], note = "" } = JSON.parse(String(last.content))
    return { text: first?.text ?? note, toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }] }
  }
})

/** Slow enough that a thread may start within a call. */
const simulator = { speed: 20 }

const agent = { app_id: "reminder", first_message: "Hello", knowledge: ["handbook"] }

describe("an agent with knowledge", () => {
  it("answers from a PDF, and the record has the passages with their sources", () =>
    withTrunkline({ agents: [agent], simulator, model: asking("How are pianos delivered?") }, async (trunkline) => {
      const { document_id, outcome, pages } = await trunkline.knowledge.add({ collection: "handbook", file: handbook })
      assert.deepStrictEqual([outcome, pages], ["added", 2])
      const { attempt_id } = await (await trunkline.calls.create(call)).ended
      const { transcript } = await trunkline.attempts.get(attempt_id)
      const use = transcript?.messages.find(({ role }) => role === "tool")
      assert.strictEqual(use?.tool_name, "search_knowledge")
      assert.strictEqual(use?.tool_arguments, `{"question":"How are pianos delivered?"}`)
      const { passages: [first] } = JSON.parse(use?.en_text ?? "")
      assert.deepInclude(first, {
        document: "Shop handbook",
        heading: "Shop handbook > Delivery",
        page: 2,
        document_id
      })
      assert.isAbove(first.score, 0)
      assert.include(
        transcript?.messages.findLast(({ role }) => role === "agent")?.en_text,
        "Pianos are delivered on Saturdays only"
      )
    }))

  it("is told when its documents say nothing, and never sees those of other collections", () =>
    withTrunkline({ agents: [agent], simulator, model: asking("How are pianos delivered?") }, async (trunkline) => {
      await trunkline.knowledge.add({ collection: "internal", file: handbook })
      const { transcript } = await (await trunkline.calls.create(call)).ended
      assert.include(transcript?.find(({ role }) => role === "tool")?.en_text, "say nothing about this")
    }))

  it("offers no such tool without knowledge", () => {
    const offered: Array<string> = []
    const model: PlainModel = {
      generate: async ({ tools = [] }) => {
        offered.push(...tools.map(({ name }) => name))
        return { text: "Bye", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] }
      }
    }
    return withTrunkline({ model }, async (trunkline) => {
      await (await trunkline.calls.create(call)).ended
      assert.include(offered, "end_call")
      assert.notInclude(offered, "search_knowledge")
    })
  })
})

describe("knowledge", () => {
  it("is added, replaced, listed, searched and removed with promises", () =>
    withTrunkline({}, async ({ knowledge }) => {
      const add = (text: string, change = {}) =>
        knowledge.add({ file: new Blob([text]), source: "hours.txt", ...change })
      const added = await add("We open at ten.")
      assert.strictEqual((await add("We open at ten.")).outcome, "unchanged")
      const replaced = await add("We open at nine.", { title: "Hours", language: "en-IN" })
      assert.deepInclude(replaced, {
        outcome: "replaced",
        document_id: added.document_id,
        title: "Hours",
        collection: "main",
        language_name: "English"
      })
      const { items: [found] } = await knowledge.search({ question: "When do you open?" })
      assert.deepInclude(found, { text: "We open at nine.", source: "hours.txt" })
      assert.strictEqual((await knowledge.list({ collection: "other" })).total, 0)
      assert.strictEqual((await knowledge.get(added.document_id)).title, "Hours")
      await knowledge.remove(added.document_id)
      assert.deepStrictEqual((await knowledge.search({ question: "When do you open?" })).items, [])
    }))

  it("refuses what it cannot use with a sentence about it", () =>
    withTrunkline({}, async ({ knowledge }) => {
      const refusal = async (work: Promise<unknown>) =>
        String(await work.then(() => "accepted", (error: unknown) => error instanceof Error ? error.message : error))
      const text = new Blob(["Text"])
      assert.include(await refusal(knowledge.add({ file: text })), "Name the source")
      assert.include(
        await refusal(knowledge.add({ file: text, source: "a", collection: "My docs" })),
        "such as handbook"
      )
      assert.include(await refusal(knowledge.add({ file: new Blob(["%PDF-"]), source: "a" })), "damaged")
      assert.include(await refusal(knowledge.get("doc-nobody")), "document")
      assert.include(await refusal(knowledge.search({ question: " " })), "empty")
    }))

  it("is there again after a restart, also when its index is gone", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const open = () => createTrunkline({ data, agents: [agent], lines: [line] })
      const first = await open()
      await first.knowledge.add({ file: new Blob(["Pianos come on Saturdays."]), source: "pianos.txt" })
      await first.close()
      rmSync(join(data, "knowledge"), { recursive: true })
      const second = await open()
      try {
        assert.strictEqual((await second.knowledge.search({ question: "piano" })).items.length, 1)
      } finally {
        await second.close()
      }
    }))
})
