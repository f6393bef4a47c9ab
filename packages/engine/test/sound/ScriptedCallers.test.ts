import { assert, describe } from "@effect/vitest"
import { testCallBrief } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { always, userSays } from "@trunkline/scripted-model"
import { modemVoice, type SynthesisInput, Synthesizer, Transcriber } from "@trunkline/speech"
import { Voicing } from "@trunkline/telephony"
import {
  assertGaps,
  assertHeard,
  assertTurns,
  type AudibleCall,
  type AudibleCallOptions,
  type CallerLine,
  runAudibleCall
} from "@trunkline/turn-taking/testing"
import { Context, Duration, Effect, Either, Layer, Stream } from "effect"
import { soundLayer } from "./Fixtures.js"

const layer = soundLayer({
  version: {
    first_message: "Hello, this is the restaurant.",
    silence_prompt: "Are you still there?",
    goodbye_message: "Then goodbye."
  },
  rules: [
    { when: userSays("table"), reply: "For how many people shall I book the table?" },
    { when: userSays("four"), reply: "Four people, very well. At which time would you like to come?" },
    {
      when: userSays("seven"),
      reply: "Seven it is. Let me read you our rules for guests. First, we keep a table for a quarter of an hour."
    },
    { when: userSays("1"), reply: "You have pressed one." },
    { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } },
    { when: always, reply: "Of course. Is there anything else?" }
  ],
  conversation: { silence: Duration.seconds(6), reprompts: 1 }
})

const callWith = (lines: ReadonlyArray<CallerLine>, options: Partial<AudibleCallOptions> = {}) =>
  runAudibleCall({ brief: testCallBrief, lines, ...options }).pipe(Effect.provide(layer))

/** The message with which an assertion fails. */
const messageOf = (assertion: () => void): string =>
  Either.match(Either.try(assertion), {
    onLeft: (error) => error instanceof Error ? error.message : assert.fail("it threw no error"),
    onRight: () => assert.fail("it did not fail")
  })

const greeting = "agent: Hello, this is the restaurant."

describe("a scripted caller", () => {
  for (const rate of [8_000, 16_000]) {
    virtualTest(
      `holds a conversation of five turns at ${rate} Hz: one pauses in a sentence, one interrupts`,
      () =>
        Effect.gen(function*() {
          const call = yield* callWith([
            { say: "I would like to book a table.", afterAgent: "1 second" },
            { say: "For", afterAgent: "500 millis" },
            { say: "four people.", after: "700 millis" },
            { say: "At seven.", afterAgent: "1 second" },
            { say: "That is enough, thank you.", intoAgent: "3 seconds" },
            { say: "No, bye.", afterAgent: "1 second" }
          ], { rate })
          assertTurns(call, [
            greeting,
            "user: I would like to book a table.",
            "agent: For how many people shall I book the table?",
            "user: For",
            "user: four people.",
            "agent: Four people, very well. At which time would you like to come?",
            "user: At seven.",
            "agent: Seven it is. Let me read you…",
            "user: That is enough, thank you.",
            "agent: Of course. Is there anything else?",
            "user: No, bye.",
            "agent: Goodbye, see you tonight."
          ])
          assert.lengthOf(call.gaps, 5)
          assertGaps(call, { least: "380 millis", most: "500 millis" })
          assertHeard(call, { words: ["restaurant. For how many", /seven it is/i], not: ["First", /hour/] })
          assert.strictEqual(call.report.ended_by, "agent")
          const said = call.report.transcript.flatMap(({ en_text, role }) => role === "user" ? [en_text] : [])
          assert.include(said, "For four people.")
        })
    )
  }

  virtualTest("interrupts with a key, and presses several", () =>
    Effect.gen(function*() {
      const call = yield* callWith([
        { press: "1", intoAgent: "1 second" },
        { press: "23", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ])
      assertTurns(call, [
        "agent: Hello,…",
        "user: 1",
        "agent: You have pressed one.",
        "user: 23",
        "agent: Of course. Is there anything else?"
      ])
      assertHeard(call, { not: "restaurant" })
      const [, , , keys] = call.turns
      assert.strictEqual((keys?.to ?? 0) - (keys?.from ?? 0), 100)
      const pressed = call.report.transcript.flatMap(({ en_text, role }) => role === "user" ? [en_text] : [])
      assert.deepStrictEqual(pressed, ["1", "23"])
    }))

  virtualTest("holds the call in the middle of a turn, which goes on afterwards", () =>
    Effect.gen(function*() {
      const call = yield* callWith([
        { hold: "20 seconds", intoAgent: "1 second" },
        { say: "Are you open?", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ])
      assertTurns(call, [greeting, "user: Are you open?", "agent: Of course. Is there anything else?"])
      assertGaps(call, { most: "500 millis" })
      const [first, question] = call.turns
      assert.closeTo((first?.to ?? 0) - (first?.from ?? 0), 22_220, 40)
      assert.closeTo((question?.from ?? 0) - (first?.to ?? 0), 1_000, 40)
    }))

  virtualTest("falls silent: the agent asks, and then says goodbye", () =>
    Effect.gen(function*() {
      const call = yield* callWith([{ say: "Are you open?", at: "3 seconds" }])
      assertTurns(call, [
        greeting,
        "user: Are you open?",
        "agent: Of course. Is there anything else?",
        "agent: Are you still there?",
        "agent: Then goodbye."
      ])
      assert.strictEqual(call.turns[1]?.from, 3_000)
      assert.strictEqual(call.report.ended_by, "agent")
    }))

  virtualTest(
    "hangs up: with a line, after the last one, and when the call lasts too long",
    () =>
      Effect.gen(function*() {
        const cut = yield* callWith([{ hangUp: true, intoAgent: "1 second" }])
        assertTurns(cut, ["agent: Hello,…"])
        const last = yield* callWith([{ say: "Are you open?", afterAgent: "1 second" }], { atEnd: "hangUp" })
        assertTurns(last, [greeting, "user: Are you open?", "agent: Of course. Is there anything else?"])
        const long = yield* callWith([{ say: "Never.", at: "1 hour" }], { longest: "5 seconds" })
        assertTurns(long, [greeting])
        assert.deepStrictEqual([cut, last, long].map(({ report }) => report.ended_by), ["user", "user", "user"])
      })
  )

  virtualTest(
    "begins and ends a line with its words, whatever silence the voice makes around them",
    () =>
      Effect.gen(function*() {
        const silence = Stream.succeed(new Float32Array(24_000))
        const slow = Layer.map(modemVoice(), (context) => {
          const { ability, speak } = Context.get(context, Synthesizer)
          const around = (utterance: SynthesisInput) => Stream.concat(Stream.concat(silence, speak(utterance)), silence)
          return Context.make(Synthesizer, { ability, speak: around })
        })
        const lines: ReadonlyArray<CallerLine> = [{ say: "Are you open?", at: "3 seconds" }, {
          hangUp: true,
          afterAgent: "1 second"
        }]
        const call = yield* Effect.provide(runAudibleCall({ brief: testCallBrief, lines }), slow)
        assertTurns(call, [greeting, "user: Are you open?", "agent: Of course. Is there anything else?"])
        assertGaps(call, { least: "380 millis", most: "500 millis" })
      }).pipe(Effect.provide(layer))
  )

  virtualTest("fails when there is no voice, no ear, or nothing that holds the call", () =>
    Effect.gen(function*() {
      const call = runAudibleCall({ brief: testCallBrief, lines: [{ say: "Are you open?" }], longest: "5 seconds" })
      const faults = [
        yield* Effect.flip(Effect.provide(call, Synthesizer.layerNone)),
        yield* Effect.flip(Effect.provide(call, Transcriber.layerNone)),
        yield* Effect.flip(Effect.provideService(call, Voicing, Context.get(Context.empty(), Voicing)))
      ]
      assert.deepStrictEqual(faults.map(({ _tag }) => _tag), ["ModelUnavailable", "ModelUnavailable", "CallFault"])
    }).pipe(Effect.provide(layer)))
})

describe("an assertion on a call with sound", () => {
  const call: AudibleCall = {
    report: {
      agent_done: false,
      ended_by: "user",
      language_name: "English",
      transcript: [],
      final_agent_variables: {},
      output_agent_variables: {},
      average_agent_response_seconds: null,
      average_user_response_seconds: null,
      business_retry: false,
      reschedule_at: null,
      fault: null
    },
    turns: [
      { role: "agent", text: "Hello, the desk.", from: 20, to: 1_500 },
      { role: "user", text: "Are you open?", from: 2_500, to: 3_600 },
      { role: "agent", text: "We are open until", from: 4_020, to: 12_340 },
      { role: "user", text: "Stop.", from: 12_100, to: 12_600 }
    ],
    gaps: [420],
    heardText: "Hello, the desk. We are open until"
  }
  const table = [
    "",
    "The call, in seconds since the answer:",
    "    from      to     gap",
    "    0.02    1.50          agent  Hello, the desk.",
    "    2.50    3.60    0.42  user   Are you open?",
    "    4.02   12.34          agent  We are open until",
    "   12.10   12.60          user   Stop.",
    "Ended by: user"
  ]
  const check = (title: string, assertion: () => void, faults: ReadonlyArray<string>) =>
    virtualTest(
      title,
      () => Effect.sync(() => assert.deepStrictEqual(messageOf(assertion).split("\n"), [...faults, ...table]))
    )

  const turns = ["agent: Hello, the desk.", "user: Are you open?", "agent: We are…", "user: Stop."]

  check("shows a turn with other words", () => assertTurns(call, turns.with(1, "user: Are you closed?")), [
    "Turn 2 is not as expected.",
    "  expected  user: Are you closed?",
    "  found     user: Are you open?"
  ])

  check("shows a turn that is cut off otherwise", () => assertTurns(call, turns.with(2, "agent: We are closed…")), [
    "Turn 3 is not as expected.",
    "  expected  agent: We are closed…",
    "  found     agent: We are open until"
  ])

  check("shows a turn that is missing", () => assertTurns(call, [...turns, "agent: Yes?"]), [
    "Turn 5 is not as expected.",
    "  expected  agent: Yes?",
    "  found     no further turn"
  ])

  check("shows a turn too many", () => assertTurns(call, turns.slice(0, 3)), [
    "Turn 4 is not as expected.",
    "  expected  no further turn",
    "  found     user: Stop."
  ])

  check("shows a gap that is too long", () => assertGaps(call, { most: 400 }), [
    "A gap of 0.42 s is not within 0.00 to 0.40 s."
  ])

  check("shows a gap that is too short", () => assertGaps(call, { least: "1 second", most: "2 seconds" }), [
    "A gap of 0.42 s is not within 1.00 to 2.00 s."
  ])

  check("shows that nothing was answered", () => assertGaps({ ...call, gaps: [] }, { most: "1 second" }), [
    "The agent answered no line of the caller."
  ])

  check(
    "shows words that were not heard, and those that were",
    () => assertHeard(call, { words: ["desk. We", "until nine", /closed/], not: [/^hello/i, "bye"] }),
    [
      `The caller did not hear "until nine".`,
      "The caller did not hear /closed/.",
      "The caller heard /^hello/i."
    ]
  )

  virtualTest("passes what is so", () =>
    Effect.sync(() => {
      assertTurns(call, turns)
      assertGaps(call, { least: 420, most: 420 })
      assertHeard(call, { words: "the desk", not: /closed/g })
    }))
})
