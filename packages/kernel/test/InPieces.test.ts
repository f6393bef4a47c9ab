import { assert, describe, it } from "@effect/vitest"
import { issueLimit, issuesOf } from "@trunkline/errors"
import { Effect, FastCheck, Fiber, type ParseResult, Schema } from "effect"
import { inPieces } from "../src/InPieces.js"
import { macroTask } from "../src/MacroTask.js"

const item = Schema.Struct({ name: Schema.String, size: Schema.optionalWith(Schema.Int, { default: () => 7 }) })
const list = Schema.Array(Schema.Unknown).pipe(Schema.minItems(1), Schema.maxItems(300))
const whole = Schema.Struct({
  title: Schema.String,
  items: Schema.Array(item).pipe(Schema.minItems(1), Schema.maxItems(300))
})
const pieces = Schema.Struct({ title: Schema.String, items: inPieces(list, item, { jsonSchema: {} }) })

const all = { errors: "all" } as const
const decodePieces = Schema.decodeUnknown(pieces, all)

const issues = <A, R>(decoded: Effect.Effect<A, ParseResult.ParseError, R>) =>
  Effect.map(Effect.flip(decoded), (error) => issuesOf(error, "body"))

const received = FastCheck.record({
  title: FastCheck.oneof(FastCheck.string(), FastCheck.constant(1)),
  items: FastCheck.oneof(
    {
      weight: 9,
      arbitrary: FastCheck.array(
        FastCheck.oneof(
          {
            weight: 9,
            arbitrary: FastCheck.record({ name: FastCheck.string(), size: FastCheck.integer() }, {
              requiredKeys: ["name"]
            })
          },
          FastCheck.jsonValue()
        ),
        { maxLength: 120 }
      )
    },
    FastCheck.jsonValue()
  )
})

describe("a list that is decoded in pieces", () => {
  it.effect.prop(
    "is what it is when it is decoded at once, and so is what is wrong with it",
    [received],
    ([body]) =>
      Effect.gen(function*() {
        const atOnce = Schema.decodeUnknownEither(whole, all)(body)
        const inTurns = yield* Effect.either(decodePieces(body))
        if (atOnce._tag === "Right") {
          assert.deepStrictEqual(inTurns, atOnce)
        } else {
          const told = yield* issues(decodePieces(body))
          assert.deepStrictEqual([...told], issuesOf(atOnce.left, "body").slice(0, told.length))
          assert.isAtLeast(told.length, Math.min(issuesOf(atOnce.left, "body").length, issueLimit))
        }
      })
  )

  it.live("lets others have their turn between the pieces", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      yield* decodePieces({ title: "", items: Array.from({ length: 300 }, () => ({ name: "" })) })
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 4)
    }))

  it.effect.prop(
    "may be of items that hold such lists themselves",
    [FastCheck.array(
      FastCheck.array(FastCheck.oneof(FastCheck.integer(), FastCheck.constant("a")), { maxLength: 70 })
    )],
    ([rows]) =>
      Effect.gen(function*() {
        const anything = Schema.Array(Schema.Unknown)
        const nested = inPieces(anything, inPieces(anything, Schema.Int, { jsonSchema: {} }), { jsonSchema: {} })
        const atOnce = Schema.decodeUnknownEither(Schema.Array(Schema.Array(Schema.Int)), all)(rows)
        const inTurns = Schema.decodeUnknown(nested, all)(rows)
        if (atOnce._tag === "Right") {
          assert.deepStrictEqual(yield* inTurns, atOnce.right)
        } else {
          const told = yield* issues(inTurns)
          assert.deepStrictEqual([...told], issuesOf(atOnce.left, "body").slice(0, told.length))
        }
      })
  )

  it.live("lets others have their turn within one of its items, where that is such a list", () =>
    Effect.gen(function*() {
      let turns = 0
      const nested = inPieces(list, inPieces(list, Schema.Int, { jsonSchema: {} }), { jsonSchema: {} })
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      yield* Schema.decodeUnknown(nested, all)([Array.from({ length: 300 }, (_, index) => index)])
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 4)
    }))

  it.live("is looked at no further than anybody is told of", () =>
    Effect.gen(function*() {
      let looked = 0
      const counting = Schema.Unknown.pipe(Schema.filter(() => {
        looked += 1
        return "never right"
      }))
      const refused = Schema.decodeUnknown(inPieces(list, counting, { jsonSchema: {} }), all)
      const told = yield* issues(refused(Array.from({ length: 300 }, () => 0)))
      assert.deepStrictEqual([looked, told.length], [issueLimit, issueLimit])
    }))
})
