import { assert, describe } from "@effect/vitest"
import { ToolFailed } from "@trunkline/agents"
import { AgentTools, Translate } from "@trunkline/conversation"
import { runTestCall } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { always, ScriptedModel, type ScriptedRule, toolAnswered, userSays } from "@trunkline/scripted-model"
import { Duration, Effect } from "effect"
import { promptAgent, quiet, saidOn, turnsOf } from "./Fixtures.js"

const call = (options: Parameters<typeof runTestCall>[0], rules: ReadonlyArray<ScriptedRule> = []) =>
  Effect.provide(runTestCall(options), ScriptedModel.layer(rules))

const curious = promptAgent({
  output_variables: [{ name: "city", description: "the city you live in", required: true }],
  variables: ["customer_name"]
})

describe("an agent with a prompt", () => {
  virtualTest("holds a short, polite conversation with its defaults", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ version: promptAgent(), lines: ["Hello?", "I have a question", "That was it"] })
      assert.strictEqual(report.transcript.length, 7)
      assert.isTrue(report.agent_done)
      assert.strictEqual(report.ended_by, "agent")
    }))

  virtualTest("speaks only its own languages", () =>
    Effect.gen(function*() {
      const { report } = yield* call({
        version: promptAgent(),
        lines: [{ say: "नमस्ते", english: "hello", language: "Hindi" }]
      })
      const agent = report.transcript.filter(({ role }) => role === "agent")
      assert.isTrue(
        agent.every(({ en_text, language_name }) => language_name === "English" && /^[ -~]+$/.test(en_text))
      )
      assert.strictEqual(report.language_name, "English")
    }))

  virtualTest("is done when it has set its required outputs", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ version: curious, lines: ["Hello?", "Pune", "No, nothing"] })
      assert.deepStrictEqual(report.output_agent_variables, { city: "Pune" })
      assert.isTrue(report.agent_done)
    }))

  virtualTest("is not done when the caller hangs up before the outputs are set", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ version: curious, lines: ["Goodbye"] })
      assert.strictEqual(report.ended_by, "agent")
      assert.isFalse(report.agent_done)
    }))

  virtualTest(
    "is done when the caller says goodbye and hangs up after the outputs are set",
    () =>
      Effect.gen(function*() {
        const lines = ["Hello?", "Pune", { say: "Bye", hangUp: true }]
        const rules = [{
          when: userSays("pune"),
          toolCall: { name: "set_variables", arguments: { city: "Pune" } },
          reply: "A nice city."
        }]
        const { report } = yield* call({ version: curious, lines }, rules)
        assert.strictEqual(report.ended_by, "user")
        assert.isTrue(report.agent_done)
      })
  )

  virtualTest("promises a callback", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call({ version: curious, lines: ["Call me back in 2 hours"] })
      const heardAt = log.find((event) => event._tag === "Answer")?.at ?? 0
      assert.strictEqual(report.reschedule_at, heardAt + Duration.toMillis("2 hours"))
      assert.isFalse(report.agent_done)
    }))

  virtualTest("promises callbacks only within the next 30 days", () =>
    Effect.gen(function*() {
      const reschedule = (wish: Readonly<Record<string, unknown>>) =>
        Effect.map(
          call({ version: curious, lines: ["Later", "Bye"] }, [
            { when: userSays("later"), toolCall: { name: "request_callback", arguments: wish }, reply: "Fine" }
          ]),
          ({ log, report }) =>
            report.reschedule_at === null
              ? null
              : report.reschedule_at - (log.find((event) => event._tag === "Answer")?.at ?? 0)
        )
      assert.strictEqual(yield* reschedule({ in_minutes: 5 }), 300_000)
      assert.strictEqual(yield* reschedule({ in_minutes: -5 }), null)
      assert.strictEqual(yield* reschedule({ in_minutes: 50_000 }), null)
      assert.strictEqual(yield* reschedule({ at: "1969-12-31T00:00:00Z" }), null)
      assert.strictEqual(yield* reschedule({ at: "soon" }), null)
    }))

  virtualTest("changes variables, language and callbacks with tools", () =>
    Effect.gen(function*() {
      const version = promptAgent({ languages: ["English", "Hindi"], variables: ["customer_name"] })
      const rules: ReadonlyArray<ScriptedRule> = [
        {
          when: userSays("name"),
          toolCall: { name: "set_variables", arguments: { customer_name: "Ravi", shoe: 42 } },
          reply: "Noted"
        },
        {
          when: userSays("hindi"),
          toolCall: { name: "set_language", arguments: { language_name: "Hindi" } },
          reply: "ठीक है"
        },
        { when: userSays("another day"), toolCall: { name: "try_again" }, reply: "Fine" }
      ]
      const { log, report } = yield* call({
        version,
        lines: ["My name is Ravi", "Speak Hindi", "Try another day", "Bye"],
        brief: { agent_variables: { customer_name: "Asha" } }
      }, rules)
      assert.deepStrictEqual(report.final_agent_variables, { customer_name: "Ravi" })
      assert.deepStrictEqual(report.output_agent_variables, {})
      assert.isTrue(report.business_retry)
      assert.strictEqual(log.find((event) => event._tag === "Say" && event.text === "ठीक है")?._tag, "Say")
      assert.strictEqual(log.findLast((event) => event._tag === "Say")?.language_name, "Hindi")
    }))

  virtualTest("measures the response times of both sides", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ version: promptAgent(), lines: [{ say: "Hello", after: "3 seconds" }, "Bye"] })
      assert.strictEqual(report.average_user_response_seconds, 2)
      assert.strictEqual(report.average_agent_response_seconds, 0)
    }))

  virtualTest("has text in other languages translated after the call", () =>
    Effect.gen(function*() {
      const { report } = yield* call({
        version: promptAgent({ languages: ["Hindi"] }),
        lines: [{ say: "अलविदा", language: "Hindi" }]
      })
      const textsOf = (role: string) =>
        report.transcript.filter((turn) => turn.role === role).map(({ en_text }) => en_text)
      assert.deepStrictEqual(textsOf("user"), ["In English"])
      assert.deepStrictEqual(textsOf("agent"), [
        "Hello, this is an automated call. Do you have a moment?",
        "In English"
      ])
      assert.include(turnsOf(report), "user: अलविदा")
    }).pipe(Effect.provideService(Translate, { toEnglish: () => Effect.succeed("In English") })))
})

describe("tools of the host application", () => {
  const version = promptAgent({
    tools: ["balance", "broken", "failing", "missing"].map((name) => ({ name, description: name }))
  })
  const handlers = {
    balance: (_input: unknown, { variables }: { readonly variables: object }) =>
      Effect.succeed({ content: { due: 12, of: variables }, set: { amount: 12 } }),
    broken: () => Effect.die(new Error("secret")),
    failing: () => new ToolFailed({ message: "The account is closed." }),
    elsewhere: () => Effect.succeed({ content: "not for this agent" })
  }
  const use = (name: string) =>
    call(
      { version, lines: ["Please", "Bye"], brief: { agent_variables: { id: 1 } } },
      [{ when: userSays("please"), toolCall: { name } }, {
        when: toolAnswered(name),
        reply: (turn) => turn.toolResult?.content ?? ""
      }]
    ).pipe(Effect.provide(AgentTools.layerOf(handlers)), Effect.map(({ report }) => report), quiet)

  virtualTest("return content to the model and set variables", () =>
    Effect.gen(function*() {
      const report = yield* use("balance")
      assert.include(turnsOf(report), `tool: {"due":12,"of":{"id":1}}`)
      assert.include(turnsOf(report), `agent: {"due":12,"of":{"id":1}}`)
      assert.deepStrictEqual(report.final_agent_variables, { id: 1, amount: 12 })
    }))

  virtualTest(
    "become a message to the model when they fail, with a cause only for ToolFailed",
    () =>
      Effect.gen(function*() {
        assert.include(turnsOf(yield* use("failing")), "agent: The account is closed.")
        assert.include(turnsOf(yield* use("broken")), "agent: The tool failed.")
        for (const name of ["missing", "elsewhere"]) {
          assert.include(turnsOf(yield* use(name)), "agent: There is no tool of this name.")
        }
      })
  )

  virtualTest("are not executed when the caller interrupts the speech before them", () =>
    Effect.gen(function*() {
      const { report } = yield* call(
        { version, lines: ["Please", { say: "Wait, bye", interruptAt: 0.5 }] },
        [{ when: userSays("please"), reply: "Let me look that up", toolCall: { name: "balance" } }]
      )
      assert.deepStrictEqual(turnsOf(report).filter((turn) => turn.startsWith("tool")), [])
      assert.include(turnsOf(report), "agent: Let me")
    }).pipe(Effect.provide(AgentTools.layerOf(handlers))))

  virtualTest("are limited per turn of the caller", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call(
        { version, lines: ["Please", "Bye"] },
        [{ when: userSays("bye"), reply: "Bye", toolCall: { name: "end_call" } }, {
          when: always,
          toolCall: { name: "balance" }
        }]
      )
      assert.strictEqual(turnsOf(report).filter((turn) => turn.startsWith("tool")).length, 8)
      assert.include(saidOn(log), "Sorry, could you say that again?")
      assert.isTrue(report.agent_done)
    }).pipe(Effect.provide(AgentTools.layerOf(handlers))))
})
