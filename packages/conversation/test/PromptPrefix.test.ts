import { assert, describe } from "@effect/vitest"
import { runTestCall } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { LanguageModel, type ModelRequest } from "@trunkline/models"
import { answers, fakeModel } from "@trunkline/models/testing"
import { Effect } from "effect"
import { promptAgent, quiet } from "./Fixtures.js"

const agent = promptAgent({
  name: "Asha",
  prompt: "You work for a bank. Greet {{customer_name}} by name. Never tell a balance.",
  tools: [
    { name: "find_order", description: "Finds an order" },
    { name: "apologize", description: "Says sorry" }
  ]
})

/** A request as providers read it: tools first, then the messages. */
const textOf = ({ messages, tools }: ModelRequest): string => JSON.stringify([tools, ...messages]).slice(0, -1)

const instructionsIn = ({ messages }: ModelRequest): string =>
  messages.flatMap((message) => message.role === "system" ? message.content : []).join("")

const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

/** The requests of a call in which the caller speaks twice. */
const requestsOf = (customer_name: string) =>
  Effect.gen(function*() {
    const model = fakeModel([answers("Yes."), answers("Of course.")])
    yield* runTestCall({
      version: agent,
      lines: ["Is my card blocked?", "Can you unblock it?"],
      atEnd: "hangUp",
      brief: { agent_variables: { customer_name } }
    }).pipe(Effect.provideService(LanguageModel, model))
    return model.calls.map(({ request }) => request)
  })

describe("the prompts of calls", () => {
  virtualTest("of one call begin with the whole prompt of the turn before", () =>
    Effect.gen(function*() {
      const [first, second] = yield* requestsOf("Bilal")
      if (first === undefined || second === undefined) return assert.fail("the model was not asked twice")
      assert.strictEqual(sharedLength(textOf(first), textOf(second)), textOf(first).length)
      assert.strictEqual(first.cacheKey, second.cacheKey)
    }).pipe(quiet))

  virtualTest(
    "of two calls of an agent share everything before the first thing that differs",
    () =>
      Effect.gen(function*() {
        const [one] = yield* requestsOf("Bilal")
        const [other] = yield* requestsOf("Chitra")
        if (one === undefined || other === undefined) return assert.fail("the model was not asked")
        const shared = textOf(one).slice(0, sharedLength(textOf(one), textOf(other)))
        assert.isTrue(shared.endsWith("You work for a bank. Greet "), "only the variable ends it")
        assert.isTrue(shared.includes("Your words are spoken aloud"))
        const names = (one.tools ?? []).map(({ name }) => name)
        assert.deepStrictEqual(names, names.toSorted())
        const rest = instructionsIn(one).slice(instructionsIn(one).indexOf("Never tell a balance."))
        assert.include(rest, "What is known")
        assert.include(rest, "The call began at")
        assert.strictEqual(one.cacheKey, other.cacheKey)
      }).pipe(quiet)
  )
})
