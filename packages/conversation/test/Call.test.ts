import { assert, describe, it } from "@effect/vitest"
import { Agent, AgentCatalog } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { type CalleeLine, runTestCall, scriptedLeg, testCallBrief } from "@trunkline/conversation/testing"
import { ModelUnavailable } from "@trunkline/errors"
import { VirtualClock } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { always, ScriptedModel, type ScriptedRule, userSays } from "@trunkline/scripted-model"
import { CallHandler } from "@trunkline/telephony"
import { Duration, Effect, FastCheck, Fiber, Layer } from "effect"
import { promptAgent, quiet, saidOn, scriptAgent, turnsOf } from "./Fixtures.js"

const call = (
  options: Omit<Parameters<typeof runTestCall>[0], "version"> & { readonly agent?: object },
  rules: ReadonlyArray<ScriptedRule> = []
) =>
  runTestCall({ version: promptAgent(options.agent), ...options }).pipe(
    Effect.provide(ScriptedModel.layer(rules)),
    quiet
  )

const handlerWith = (rules: ReadonlyArray<ScriptedRule>) =>
  Conversation.layer.pipe(
    Layer.provide(ScriptedModel.layer(rules)),
    Layer.provide(AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [promptAgent()] })]))
  )

const down = new ModelUnavailable({ message: "down" })

describe("a call", () => {
  virtualTest("is reported when the caller hangs up at once", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ lines: [], hangUpAfter: "1 second" })
      assert.deepStrictEqual(report.transcript, [])
      assert.strictEqual(report.ended_by, "user")
      assert.isFalse(report.agent_done)
      assert.isNull(report.language_name)
      assert.isNull(report.average_agent_response_seconds)
      assert.isNull(report.fault)
    }))

  virtualTest("leaves out a sentence that the end of the call cuts off", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ lines: ["Hello", { hangUp: true, interruptAt: 0.5 }] })
      assert.deepStrictEqual(turnsOf(report).slice(1), ["user: Hello"])
      assert.strictEqual(report.ended_by, "user")
    }))

  virtualTest(
    "keeps the heard part of an interrupted sentence, for the transcript and for the model",
    () =>
      Effect.gen(function*() {
        const texts: Array<string> = []
        const { report } = yield* call(
          { lines: [{ say: "Goodbye", interruptAt: 0.5 }], agent: { first_message: "one two three four" } },
          [{
            when: ({ request }) => {
              texts.push(
                ...request.messages.flatMap((message) => message.role === "assistant" ? [message.content ?? ""] : [])
              )
              return false
            }
          }]
        )
        assert.strictEqual(turnsOf(report)[0], "agent: one two")
        assert.deepStrictEqual(texts, ["one two"])
      })
  )

  virtualTest("ends after two reprompts when the caller is silent", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call({ lines: [], agent: { first_message: "Hi", silence_prompt: "Still there?" } })
      assert.deepStrictEqual(saidOn(log), ["Hi", "Still there?", "Still there?", "Thank you. Goodbye."])
      assert.deepInclude(report, { ended_by: "agent", agent_done: false, no_input: true })
      const says = log.filter((event) => event._tag === "Say")
      const spoken = log.filter((event) => event._tag === "Spoken")
      assert.strictEqual((says[1]?.at ?? 0) - (spoken[0]?.at ?? 0), 8000)
    }))

  virtualTest(
    "had input when the caller has spoken or pressed a key before the silence, or hangs up",
    () =>
      Effect.gen(function*() {
        const spoke = yield* call({ lines: ["Hello"] }, [{ when: always, reply: "Yes?" }])
        assert.strictEqual(spoke.report.ended_by, "agent")
        assert.isUndefined(spoke.report.no_input)
        const result = yield* call({ lines: [{ hangUp: true }] })
        assert.isUndefined(result.report.no_input)
      })
  )

  virtualTest("resets the count of silences when the caller speaks", () =>
    Effect.gen(function*() {
      const slow: CalleeLine = { say: "Well", after: "20 seconds" }
      const { log } = yield* call({ lines: [slow, slow, "Bye"] }, [{ when: userSays("well"), reply: "Yes?" }])
      assert.strictEqual(saidOn(log).filter((text) => text === "Are you still there?").length, 4)
    }))

  virtualTest("ends in time with a goodbye that says why", () =>
    Effect.gen(function*() {
      const chat = Array.from({ length: 100 }, () => "Go on")
      const { log, report } = yield* call(
        { lines: chat, agent: { max_duration_seconds: 60 } },
        [{ when: always, reply: "As I said" }]
      )
      assert.match(saidOn(log).at(-1) ?? "", /running out of time/)
      assert.strictEqual(report.ended_by, "timeout")
      assert.isFalse(report.agent_done)
      const end = log.at(-1)?.at ?? 0
      assert.isTrue(end >= 45_000 && end <= 60_000)
    }))

  virtualTest(
    "is cut at its end even during a speech, which then does not count as heard",
    () =>
      Effect.gen(function*() {
        const { log, report } = yield* call({
          lines: [],
          agent: { first_message: "word ".repeat(500), max_duration_seconds: 600 },
          brief: { maxDuration: Duration.seconds(20) }
        })
        assert.deepStrictEqual(report.transcript, [])
        assert.strictEqual(report.ended_by, "timeout")
        assert.deepStrictEqual(log.at(-1), { _tag: "Ended", by: "agent", at: 20_000 })
      })
  )

  virtualTest("fails and closes the line when the model fails before its first response", () =>
    Effect.gen(function*() {
      const { leg, log } = yield* scriptedLeg(["Hello"])
      const handler = yield* CallHandler
      const fault = yield* Effect.flip(handler.handle(leg, testCallBrief))
      assert.strictEqual(fault._tag, "CallFault")
      assert.strictEqual(fault.reason, "The language model could not answer: down.")
      const events = yield* log
      assert.strictEqual(events.at(-1)?._tag, "Ended")
      assert.match(saidOn(events).at(-1) ?? "", /cannot continue/)
    }).pipe(Effect.provide(handlerWith([{ when: always, error: down }])), quiet))

  virtualTest("reports a fault when the model fails later", () =>
    Effect.gen(function*() {
      const { report } = yield* call(
        { lines: ["Hello", "Still there?"] },
        [{ when: userSays("there"), error: down }]
      )
      assert.strictEqual(report.fault, "The language model could not answer: down.")
      assert.isFalse(report.agent_done)
      assert.strictEqual(report.transcript.filter((turn) => turn.role === "user").length, 2)
    }))

  virtualTest("asks the caller to repeat when the model says nothing", () =>
    Effect.gen(function*() {
      const { log } = yield* call({ lines: ["Hm"] }, [{ when: userSays("hm"), reply: "" }])
      assert.include(saidOn(log), "Sorry, could you say that again?")
    }))

  virtualTest("fails for an unknown agent", () =>
    Effect.gen(function*() {
      const { leg, log } = yield* scriptedLeg([])
      const handler = yield* CallHandler
      const fault = yield* Effect.flip(handler.handle(leg, { ...testCallBrief, app_version: 9 }))
      assert.strictEqual(fault.reason, "There is no such version of the agent.")
      assert.deepStrictEqual((yield* log).map((event) => event._tag), ["Ended"])
    }).pipe(Effect.provide(handlerWith([]))))

  virtualTest("closes its line when it is interrupted", () =>
    Effect.gen(function*() {
      const { leg, log } = yield* scriptedLeg([])
      const handler = yield* CallHandler
      const fiber = yield* Effect.fork(handler.handle(leg, testCallBrief))
      yield* Effect.sleep("5 seconds")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual((yield* log).at(-1), { _tag: "Ended", by: "agent", at: 5000 })
    }).pipe(Effect.provide(handlerWith([]))))
})

const line = FastCheck.record({
  say: FastCheck.constantFrom("yes", "no", "15", "call me later", "नहीं", "bye", "why?", " "),
  language: FastCheck.constantFrom("English", "Hindi", "Tamil"),
  press: FastCheck.constantFrom("1", "#"),
  after: FastCheck.integer({ min: 0, max: 30_000 }),
  interruptAt: FastCheck.double({ min: 0, max: 1, noNaN: true }),
  hangUp: FastCheck.boolean()
}, { requiredKeys: [] })

describe("every call", () => {
  const agents = [scriptAgent(), promptAgent(), promptAgent({ output_variables: [{ name: "day", required: true }] })]
  it.effect.prop(
    "has one report, says nothing after its end, transcribes only heard text, and ends in time",
    [
      FastCheck.constantFrom(...agents),
      FastCheck.array(line, { maxLength: 8 }),
      FastCheck.option(FastCheck.integer({ min: 0, max: 60_000 }), { nil: 600_000 }),
      FastCheck.constantFrom<"silent" | "hangUp">("silent", "hangUp")
    ],
    ([version, lines, hangUpAfter, atEnd]) =>
      Effect.gen(function*() {
        const trial = runTestCall({ version, lines, hangUpAfter, atEnd, brief: { maxDuration: Duration.minutes(2) } })
        const { log, report } = yield* VirtualClock.run(Effect.provide(trial, ScriptedModel.layer()))
        const ends = log.flatMap((event, index) => event._tag === "Ended" ? [index] : [])
        assert.strictEqual(ends.length, 1)
        const after = log.slice(ends[0]).map((event) => event._tag === "Ended" ? event.by : event._tag)
        assert.include(["agent", "user", "user Refused"], after.join(" "))
        assert.isTrue((log.at(-1)?.at ?? Infinity) <= 120_000)
        const texts = log.flatMap((event) => event._tag === "Spoken" && event.heard !== "" ? [event.heard] : [])
        assert.deepStrictEqual(
          turnsOf(report).filter((turn) => turn.startsWith("agent")),
          texts.map((text) => `agent: ${text}`)
        )
        const answers = log.flatMap((event) => event._tag === "Answer" && event.text.trim() !== "" ? [event.text] : [])
        assert.deepStrictEqual(
          turnsOf(report).filter((turn) => turn.startsWith("user")),
          answers.map((text) => `user: ${text}`)
        )
        const times = report.transcript.map((turn) => turn.at)
        assert.deepStrictEqual(times, [...times].sort((a, b) => a - b))
      }),
    { fastCheck: { numRuns: propertyRuns(50) } }
  )
})
