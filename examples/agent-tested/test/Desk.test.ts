import { toolOutput } from "trunkline"
import { expectCall, passShare, playedBy, slowTool, testAgent } from "trunkline/testing"
import { assert, describe, it } from "vitest"
import { deskWith, prompt, quickPrompt } from "../src/agent.js"
import { promptModel } from "../src/model.js"

const tools = {
  find_table: ({ people }: Readonly<Record<string, unknown>>) =>
    toolOutput("Table 4 is free", { people: Number(people) }),
  book_table: "table 4 at seven, booked"
}

const desk = testAgent(deskWith(prompt), { model: promptModel, tools })

/** Books a table only after the caller has agreed. */
const agreesFirst = async (prompt: string): Promise<void> => {
  const call = await testAgent(deskWith(prompt), { model: promptModel, tools }).call(async (caller) => {
    await caller.says("Is there a table for 2?")
    await caller.says("Yes, please do.")
  })
  expectCall(call).inOrder("tool: find_table", "agent: Shall I book it?", "caller: Yes", "tool: book_table")
}

describe("the desk", () => {
  it("books a table after the caller has agreed", () => agreesFirst(prompt))

  it("would book too early with the quick prompt, which this test catches", async () => {
    const error: unknown = await agreesFirst(quickPrompt).catch((error: unknown) => error)
    assert.match(String(error), /^CallError: The call was over before the caller said "Yes, please do\."/)
    assert.match(String(error), /tool {4}book_table\(\{"table":4\}\) → table 4 at seven, booked/)
  })

  it("goes on where it was interrupted", async () => {
    const call = await desk.call(async (caller) => {
      await caller.interrupts("A table for 3!", { after: 1 })
      await caller.hears("Table 4")
      await caller.says("No, thanks.")
    })
    expectCall(call).used("find_table", { people: 3 }).variables({ people: 3 }).notUsed("book_table").endedBy("agent")
  })

  it("asks for a moment while a slow booking system answers", async () => {
    const slow = testAgent(deskWith(prompt), {
      model: promptModel,
      tools: { ...tools, find_table: slowTool(9, "Table 1 is free") }
    })
    const call = await slow.call(async (caller) => {
      await caller.says("A table for 2, please.")
      await caller.hears("Table 1", { within: 15 })
    })
    expectCall(call).inOrder("tool: find_table", "agent: One moment, please.", "agent: Table 1")
  })

  it("serves callers who speak as they like, in each of ten runs", async () => {
    const wishes = ["A table for 2, please.", "Do you have a table for 6?", "Hello? I want a table for 4."]
    const callers = (seed: number) =>
      playedBy({
        goal: "Book a table",
        model: {
          generate: async ({ messages }) => {
            const heard = messages.at(-1)?.content
            return String(heard).includes("book it?") ? "Yes. [hangs up]" : wishes[seed % wishes.length] ?? ""
          }
        }
      })
    const { share } = await passShare(10, async (seed) => {
      const call = await desk.call(callers(seed))
      expectCall(call).used("book_table").heard("booked")
    })
    assert.strictEqual(share, 1)
  })
})
