import { assert, describe, it } from "@effect/vitest"
import { reasonOf, reasonOfThrown, withReason } from "@trunkline/kernel"

const cases: ReadonlyArray<readonly [what: string, given: unknown, reason: string]> = [
  ["a plain message", new Error("The model's provider refused our key"), "The model's provider refused our key"],
  ["a text", "engaged", "engaged"],
  ["lines", new Error("down\n  for today"), "down for today"],
  ["a key", new Error("Incorrect API key provided: sk-proj-4a7d1ed4"), "Incorrect API key provided: ***"],
  ["a named key", new Error("?api_key=abc&model=x"), "?api_key=***&model=x"],
  ["a bearer", new Error("authorization was Bearer abcdef"), "authorization was Bearer ***"],
  ["a long token", new Error("got 3f786850e387550fdab836ed7e6dc881de23001b"), "got ***"],
  ["a password in a URL", new Error("connect postgres://me:secret@db/x"), "connect postgres://***@db/x"],
  ["an e-mail address", new Error("no mail to asha@example.com"), "no mail to ***"],
  ["a phone number", new Error("cannot dial +91 98765 43210"), "cannot dial ***"],
  ["an address of a server", new Error("connect ECONNREFUSED 127.0.0.1:11434"), "connect ECONNREFUSED 127.0.0.1:11434"],
  ["a colon at the end", new Error("refused: "), "refused"],
  ["no message", new Error(), ""],
  ["nothing", undefined, ""]
]

describe("reasons", () => {
  for (const [what, given, reason] of cases) {
    it(`of ${what}`, () => assert.strictEqual(reasonOf(given), reason))
  }

  it("are short", () => assert.strictEqual(reasonOf("a ".repeat(1_000_000)).length, 300))

  it("follow what happened, which stands alone without one", () => {
    assert.strictEqual(withReason("mine", "engaged"), "mine: engaged")
    assert.strictEqual(withReason("mine", ""), "mine")
  })
})

const thrown: ReadonlyArray<readonly [what: string, thrown: unknown, reason: string]> = [
  ["an error", new Error("engaged"), "engaged"],
  ["a text", "engaged", "engaged"],
  ["an error without a message", new Error(), "threw an error without a message"],
  ["an error of a class", new TypeError(""), "threw the error TypeError without a message"],
  [
    "a code",
    Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
    "threw the error AggregateError without a message and with the code ECONNREFUSED"
  ],
  ["an error with a cause", new Error("", { cause: new Error("no route to host") }), "no route to host"],
  ["several errors", new AggregateError([new Error(), new Error("refused")]), "refused"],
  ["undefined", undefined, "threw undefined"],
  ["null", null, "threw null"],
  ["an empty text", " ", "threw an empty text"],
  ["a number", 42, "threw 42"],
  ["a phone number", 919876543210, "threw ***"],
  ["a function", () => 1, "threw a function"],
  ["a symbol", Symbol("s"), "threw a symbol"],
  ["an object", { status: "down" }, "threw an object without a message"],
  ["an object with a code", { code: 503 }, "threw an object without a message and with the code 503"]
]

describe("the reason for a failure of the host", () => {
  for (const [what, error, reason] of thrown) {
    it(`that threw ${what}`, () => assert.strictEqual(reasonOfThrown(error), reason))
  }
})
