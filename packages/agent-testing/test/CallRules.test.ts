import { assert, describe, it } from "@effect/vitest"
import { always, toolAnswered, userSays } from "@trunkline/scripted-model"
import { Effect } from "effect"
import { type AgentTurn, checkCall, type TestedCall, type TestedTurn } from "../src/index.js"
import { callWith, deskOf } from "./Fixtures.js"

const agent = (text: string, from: number, to: number, changes: Partial<AgentTurn> = {}): AgentTurn => ({
  role: "agent",
  text,
  meant: text,
  interrupted: false,
  language: "English",
  from,
  to,
  ...changes
})

const caller = (text: string, from: number, to: number): TestedTurn => ({
  role: "caller",
  does: "says",
  text,
  interrupts: false,
  from,
  to
})

/** A call with these turns, whose record has them, too. */
const callOf = (turns: ReadonlyArray<TestedTurn>, changes: Partial<TestedCall> = {}): TestedCall => ({
  turns,
  outcome: "completed",
  fault: null,
  endedBy: "agent",
  variables: {},
  outputs: {},
  language: "English",
  seconds: turns.at(-1)?.to ?? 0,
  startedAt: "2026-11-30T03:30:00.000Z",
  record: turns.flatMap((turn) =>
    turn.role === "tool" || turn.text === ""
      ? []
      : [{ role: turn.role === "agent" ? "agent" : "user", text: turn.text }]
  ),
  model: [],
  violations: [],
  seed: 1,
  refusals: 0,
  leftOpen: false,
  ...changes
})

/** The rules that a call breaks, with the turns at which it shows. */
const brokenBy = (call: TestedCall, version: object = {}) =>
  checkCall(call, [deskOf(version)]).violations.map(({ rule, turn }) => [rule, turn])

const tool = (name: string, input: object, at: number): TestedTurn => ({
  role: "tool",
  name,
  input,
  result: "done",
  failed: false,
  set: {},
  from: at,
  to: at
})

const book = { name: "book", description: "Books a table" }

describe("the rules of every call", () => {
  it("pass a good call", () => {
    const good = callOf([agent("Hello, the desk.", 0, 1), caller("Bye.", 2, 3), agent("Goodbye.", 3, 4)])
    assert.deepStrictEqual(brokenBy(good), [])
  })

  it("find a silence, in the call and at its end", () => {
    assert.deepStrictEqual(brokenBy(callOf([agent("Hello.", 0, 1), caller("Yes?", 14, 15)])), [["silence", 1]])
    assert.deepStrictEqual(brokenBy(callOf([agent("Hello.", 0, 1)], { seconds: 20 })), [["silence", null]])
  })

  it("find a tool that runs twice where it should run once", () => {
    const again = [agent("Hello.", 0, 1), tool("book", { at: 9 }, 2), tool("book", { at: 9 }, 2)]
    assert.deepStrictEqual(brokenBy(callOf(again), { tools: [book] }), [["tool-twice", 2]])
    assert.deepStrictEqual(brokenBy(callOf(again), { tools: [{ ...book, repeatable: true }] }), [])
    const later = [tool("book", { at: 9 }, 0), caller("At ten.", 1, 2), tool("book", { at: 10 }, 2)]
    assert.deepStrictEqual(brokenBy(callOf(later), { tools: [book] }), [])
    assert.deepStrictEqual(brokenBy(callOf(later), { tools: [{ ...book, once: true }] }), [["tool-twice", 2]])
  })

  it("find an agent that goes in circles, but not one that asks into silences", () => {
    const round = (at: number) => [caller("Yes.", at, at + 1), agent("What is your name, please?", at + 1, at + 2)]
    const asks = (at: number) => agent("Are you still there?", at, at + 1)
    assert.deepStrictEqual(brokenBy(callOf([...round(0), ...round(3), ...round(6)])), [["loop", 5]])
    assert.deepStrictEqual(brokenBy(callOf([asks(0), asks(9), asks(18)])), [])
  })

  it("find words after the goodbye, and after the end", () => {
    const late = callOf([agent("Thanks, goodbye!", 0, 1), agent("Are you still there?", 9, 10)], { refusals: 1 })
    assert.deepStrictEqual(brokenBy(late), [["after-goodbye", 1], ["after-goodbye", null]])
    const answered = [agent("Goodbye!", 0, 1), caller("One more question.", 2, 3), agent("Yes, of course?", 4, 5)]
    assert.deepStrictEqual(brokenBy(callOf(answered)), [])
  })

  it("find a call that does not end, and a record of what nobody heard", () => {
    assert.deepStrictEqual(brokenBy(callOf([agent("Hello.", 0, 1)], { leftOpen: true, endedBy: "timeout" })), [
      ["ends", null],
      ["ends", null]
    ])
    const record = [{ role: "agent" as const, text: "Hello, and much more." }]
    assert.deepStrictEqual(brokenBy(callOf([agent("Hello.", 0, 1)], { record })), [["record", 0]])
    const cut = agent("We are o", 0, 1, { meant: "We are open.", interrupted: true })
    assert.deepStrictEqual(brokenBy(callOf([cut], { record: [{ role: "agent", text: "We are" }] })), [])
    const none = [{ role: "agent" as const, text: "Hello." }, { role: "agent" as const, text: "Bye." }]
    assert.deepStrictEqual(brokenBy(callOf([agent("Hello.", 0, 1)], { record: none })), [["record", null]])
  })

  it("find that the caller hears again what they heard before they interrupted, unless they ask for it", () => {
    const cut = agent("We are open until nine. On", 0, 3, {
      meant: "We are open until nine. On Sunday.",
      interrupted: true
    })
    const answer = agent("We are open until nine. Anything else?", 5, 8)
    assert.deepStrictEqual(brokenBy(callOf([cut, caller("And today?", 2, 4), answer])), [["interruption", 2]])
    assert.deepStrictEqual(brokenBy(callOf([cut, caller("Could you repeat that?", 2, 4), answer])), [])
    const news = [cut, caller("And today?", 2, 4), tool("hours", {}, 4), answer]
    assert.deepStrictEqual(brokenBy(callOf(news)), [])
  })

  it("find that the words of an interruption are lost", () => {
    const cut = agent("We are open", 0, 1, { meant: "We are open until nine.", interrupted: true })
    const turns = [cut, caller("Stop it.", 1, 2), agent("As I said.", 3, 4)]
    const record = callOf(turns).record.filter(({ role }) => role === "agent")
    assert.deepStrictEqual(brokenBy(callOf(turns, { record })), [["interruption", 1]])
  })

  it("can be left out by name, and have other bounds", () => {
    const quiet = callOf([agent("Hello.", 0, 1), caller("Yes?", 14, 15)])
    const agents = [deskOf({})]
    assert.deepStrictEqual(checkCall(quiet, agents, { except: ["silence"] }).violations, [])
    assert.deepStrictEqual(checkCall(quiet, agents, { silence: 20 }).violations, [])
  })

  it.effect("hold in calls of a model that repeats itself, and tell where", () =>
    Effect.gen(function*() {
      const rules = [
        { when: toolAnswered("book"), reply: "It is booked." },
        {
          when: userSays("book"),
          toolCall: [{ name: "book", arguments: { at: 9 } }, { name: "book", arguments: { at: 9 } }]
        },
        { when: always, reply: "Yes?" }
      ]
      const call = yield* callWith(
        { first_message: "Hello.", tools: [book] },
        { rules, mocks: { book: () => Effect.succeed({ content: "9 am" }) } },
        (caller) => caller.says("Please book it.")
      )
      assert.deepStrictEqual(call.violations, [{
        rule: "tool-twice",
        message: `The tool book ran again with {"at":9}.`,
        turn: 3
      }])
    }))
})
