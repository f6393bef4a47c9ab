import { assert, describe } from "@effect/vitest"
import { AppId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { says } from "@trunkline/models/testing"
import { Effect } from "effect"
import { saidOn } from "../Fixtures.js"
import { done, uses, usesAll } from "../ToolCall.js"
import { actionCall, instructions, told } from "./ActionCall.js"

const handsOver = (to: string, words = "") => uses("hand_over", { to, reason: "An invoice" }, words)

const toBilling = (changes: object = {}) => ({
  hand_overs: [{ app_id: "billing", when: "They ask about an invoice", ...changes }]
})

const billing = { name: "Vera", prompt: "You know invoices.", output_variables: [{ name: "invoice" }] }

describe("a hand-over to another agent", () => {
  virtualTest("lets the next agent answer with its own instructions, tools and history", () =>
    Effect.gen(function*() {
      const { log, report, requests, tools } = yield* actionCall({
        agent: toBilling(),
        others: { billing: { ...billing, tools: [{ name: "find_invoice", description: "Finds it" }] } },
        lines: ["My invoice is wrong"],
        model: [handsOver("billing", "I put you through."), says("Which invoice?"), done]
      })
      const [asked, next] = requests
      assert.include(JSON.stringify(asked?.tools), "billing: They ask about an invoice")
      assert.include(instructions(next), "You are Vera")
      assert.include(instructions(next), "You know invoices.")
      assert.include((next?.tools ?? []).map(({ name }) => name), "find_invoice")
      assert.notInclude((next?.tools ?? []).map(({ name }) => name), "hand_over")
      assert.deepStrictEqual(told(next), [
        "assistant: Hello.",
        "user: My invoice is wrong",
        "assistant: I put you through.",
        "tool: You are Vera now, and go on with the call, which Assistant has handed over to you. Reason: An invoice"
      ])
      assert.deepStrictEqual(saidOn(log).slice(0, 3), ["Hello.", "I put you through.", "Which invoice?"])
      assert.deepStrictEqual(
        tools.map(({ handed_over, tool_name, tool_outcome }) => ({ handed_over, tool_name, tool_outcome })),
        [{
          tool_name: "hand_over",
          tool_outcome: "done",
          handed_over: {
            from_app_id: AppId.make("trial"),
            from_app_version: 1,
            to_app_id: AppId.make("billing"),
            to_app_version: 1,
            history: "keep",
            reason: "An invoice"
          }
        }]
      )
      const agents = report.transcript.filter(({ role }) => role === "agent")
        .map(({ app_id, en_text }): readonly [string | null, string | undefined] => [en_text, app_id])
      assert.deepStrictEqual(agents.slice(0, 3), [
        ["Hello.", undefined],
        ["I put you through.", undefined],
        ["Which invoice?", "billing"]
      ])
      assert.deepInclude(log.map(({ at: _, ...event }) => event), { _tag: "Voice", app_id: AppId.make("billing") })
    }))

  virtualTest("keeps what was collected, and needs the outputs of the next agent", () =>
    Effect.gen(function*() {
      const { report, requests } = yield* actionCall({
        agent: { ...toBilling(), variables: ["city"] },
        others: { billing: { ...billing, output_variables: [{ name: "invoice", required: true }] } },
        lines: ["I live in Pune", "Number 7", "Bye"],
        model: [
          uses("set_variables", { city: "Pune" }),
          handsOver("billing"),
          says("Which invoice?"),
          uses("set_variables", { invoice: "7" }, "Thank you."),
          done
        ]
      })
      assert.include(instructions(requests[2]), "What is known: {\"city\":\"Pune\"}")
      assert.deepStrictEqual(report.final_agent_variables, { city: "Pune", invoice: "7" })
      assert.deepStrictEqual(report.output_agent_variables, { invoice: "7" })
      assert.isTrue(report.agent_done)
    }))

  virtualTest("begins with first words, in a language that the next agent speaks", () =>
    Effect.gen(function*() {
      const { log, requests } = yield* actionCall({
        agent: toBilling({ first_words: { English: "Vera here.", Hindi: "मैं वेरा हूँ।" } }),
        others: { billing: { ...billing, languages: ["Hindi"] } },
        lines: ["My invoice is wrong", "Number 7"],
        model: [handsOver("billing"), done]
      })
      assert.deepStrictEqual(saidOn(log).slice(0, 2), ["Hello.", "मैं वेरा हूँ।"])
      assert.include(instructions(requests[1]), "Speak Hindi.")
    }))

  virtualTest("cuts the history to the last turns", () =>
    Effect.gen(function*() {
      const { requests, tools } = yield* actionCall({
        agent: toBilling({ history: "last_turns", last_turns: 1 }),
        others: { billing },
        lines: ["One", "Two"],
        model: [says("And?"), handsOver("billing"), done]
      })
      assert.deepStrictEqual(told(requests[2]).slice(0, 2), ["user: Two", "assistant: -"])
      assert.strictEqual(tools[0]?.handed_over?.history, "last_turns")
    }))

  virtualTest("summarises the history by the model", () =>
    Effect.gen(function*() {
      const { requests, tools } = yield* actionCall({
        agent: toBilling({ history: "summary" }),
        others: { billing },
        lines: ["One", "Two"],
        model: [says("And?"), handsOver("billing"), says("They counted."), done]
      })
      assert.deepStrictEqual(told(requests[2]), ["user: Agent: Hello.\nCaller: One\nAgent: And?\nCaller: Two"])
      assert.deepStrictEqual(told(requests[3]).slice(0, 2), ["system: The call so far: They counted.", "user: Two"])
      assert.strictEqual(tools[0]?.handed_over?.history, "summary")
    }))

  virtualTest("tells the last turns where the model has no summary", () =>
    Effect.gen(function*() {
      const { requests, tools } = yield* actionCall({
        agent: toBilling({ history: "summary" }),
        others: { billing },
        lines: ["One"],
        model: [handsOver("billing"), says(""), done]
      })
      assert.deepStrictEqual(told(requests[2]).slice(0, 2), ["assistant: Hello.", "user: One"])
      assert.strictEqual(tools[0]?.handed_over?.history, "last_turns")
    }))

  virtualTest("goes to an agent with a script, in the step that it names", () =>
    Effect.gen(function*() {
      const { log } = yield* actionCall({
        agent: toBilling({ initial_state_name: "pay" }),
        others: { billing: { script: [{ id: "hello", say: "Billing." }, { id: "pay", say: "Will you pay?" }] } },
        lines: ["My invoice", "Yes"],
        model: [handsOver("billing")]
      })
      assert.deepStrictEqual(saidOn(log), ["Hello.", "Will you pay?", "Thank you. Goodbye."])
    }))

  virtualTest("begins in a state, with its instructions", () =>
    Effect.gen(function*() {
      const { requests } = yield* actionCall({
        agent: toBilling({ initial_state_name: "late" }),
        others: { billing: { ...billing, states: [{ name: "late", prompt: "They are late." }] } },
        lines: ["My invoice"],
        model: [handsOver("billing"), done]
      })
      assert.include(instructions(requests[1]), "They are late.")
    }))

  virtualTest("does not go back before the caller has spoken, and may then", () =>
    Effect.gen(function*() {
      const { report, requests, tools } = yield* actionCall({
        agent: toBilling(),
        others: { billing: { ...billing, hand_overs: [{ app_id: "trial", when: "Anything else" }] } },
        lines: ["My invoice", "Something else"],
        model: [handsOver("billing"), handsOver("trial"), says("Go on."), handsOver("trial"), done]
      })
      assert.include(JSON.stringify(told(requests[2])), "has just handed the call over. Speak with the caller first.")
      assert.deepStrictEqual(tools.map(({ en_text }) => en_text), [
        "Handed over from trial to billing.",
        "Handed over from billing to trial."
      ])
      assert.notExists(report.transcript.at(-1)?.app_id)
    }))

  virtualTest("happens ten times in a call at most", () =>
    Effect.gen(function*() {
      const { requests, tools } = yield* actionCall({
        agent: toBilling(),
        others: { billing: { ...billing, hand_overs: [{ app_id: "trial", when: "Anything else" }] } },
        lines: Array.from({ length: 12 }, (_, index) => `Again ${index}`),
        model: [
          ...Array.from({ length: 5 }, () => [handsOver("billing"), says("Yes?"), handsOver("trial"), says("Yes?")])
            .flat(),
          handsOver("billing"),
          done
        ]
      })
      assert.strictEqual(tools.length, 10)
      assert.include(JSON.stringify(told(requests.at(-1))), "handed over too often")
    }))

  virtualTest("is given up when the caller interrupts the words before it", () =>
    Effect.gen(function*() {
      const { requests, tools } = yield* actionCall({
        agent: toBilling(),
        others: { billing },
        lines: ["My invoice", { say: "No, wait", interruptAt: 0.5 }],
        model: [handsOver("billing", "I put you through now."), done]
      })
      assert.include(JSON.stringify(told(requests[1])), "Not done: the caller spoke first.")
      assert.deepStrictEqual(tools, [])
    }))

  virtualTest("is refused to an agent that is not listed, and one action runs at a time", () =>
    Effect.gen(function*() {
      const { requests } = yield* actionCall({
        agent: { ...toBilling(), hold: {} },
        others: { billing },
        lines: ["My invoice"],
        model: [handsOver("sales"), usesAll(["hold_caller", "hand_over"]), done]
      })
      assert.include(told(requests[1]), "tool: Choose one of billing.")
      assert.include(told(requests[2]), "tool: Not done: one such tool at a time.")
    }))
})
