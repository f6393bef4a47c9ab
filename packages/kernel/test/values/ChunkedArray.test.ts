import { assert, describe, it } from "@effect/vitest"
import { issuesOf, maxIssues } from "@trunkline/errors"
import { chunkedArray, macroTask } from "@trunkline/kernel"
import { Effect, FastCheck, Fiber, type ParseResult, Schema } from "effect"

const item = Schema.Struct({ name: Schema.String, size: Schema.optionalWith(Schema.Int, { default: () => 7 }) })
const list = Schema.Array(Schema.Unknown).pipe(Schema.minItems(1), Schema.maxItems(300))
const whole = Schema.Struct({
  title: Schema.String,
  items: Schema.Array(item).pipe(Schema.minItems(1), Schema.maxItems(300))
})
const chunked = Schema.Struct({ title: Schema.String, items: chunkedArray(list, item, { jsonSchema: {} }) })

const all = { errors: "all" } as const
const decodeChunked = Schema.decodeUnknown(chunked, all)

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

describe("a schema of an array that decodes in chunks", () => {
  it.effect.prop(
    "decodes to the same values and issues as a plain array",
    [received],
    ([body]) =>
      Effect.gen(function*() {
        const atOnce = Schema.decodeUnknownEither(whole, all)(body)
        const chunkwise = yield* Effect.either(decodeChunked(body))
        if (atOnce._tag === "Right") {
          assert.deepStrictEqual(chunkwise, atOnce)
        } else {
          const reported = yield* issues(decodeChunked(body))
          assert.deepStrictEqual([...reported], issuesOf(atOnce.left, "body").slice(0, reported.length))
          assert.isAtLeast(reported.length, Math.min(issuesOf(atOnce.left, "body").length, maxIssues))
        }
      })
  )

  it.live("pauses between chunks so that other work can run", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      yield* decodeChunked({ title: "", items: Array.from({ length: 300 }, () => ({ name: "" })) })
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 4)
    }))

  it.effect.prop(
    "can be nested",
    [FastCheck.array(
      FastCheck.array(FastCheck.oneof(FastCheck.integer(), FastCheck.constant("a")), { maxLength: 70 })
    )],
    ([rows]) =>
      Effect.gen(function*() {
        const anything = Schema.Array(Schema.Unknown)
        const nested = chunkedArray(anything, chunkedArray(anything, Schema.Int, { jsonSchema: {} }), {
          jsonSchema: {}
        })
        const atOnce = Schema.decodeUnknownEither(Schema.Array(Schema.Array(Schema.Int)), all)(rows)
        const chunkwise = Schema.decodeUnknown(nested, all)(rows)
        if (atOnce._tag === "Right") {
          assert.deepStrictEqual(yield* chunkwise, atOnce.right)
        } else {
          const reported = yield* issues(chunkwise)
          assert.deepStrictEqual([...reported], issuesOf(atOnce.left, "body").slice(0, reported.length))
        }
      })
  )

  it.live("pauses within an item that is such an array itself", () =>
    Effect.gen(function*() {
      let turns = 0
      const nested = chunkedArray(list, chunkedArray(list, Schema.Int, { jsonSchema: {} }), { jsonSchema: {} })
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      yield* Schema.decodeUnknown(nested, all)([Array.from({ length: 300 }, (_, index) => index)])
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 4)
    }))

  it.live("stops decoding once as many issues are known as an error reports", () =>
    Effect.gen(function*() {
      let checked = 0
      const counting = Schema.Unknown.pipe(Schema.filter(() => {
        checked += 1
        return "always invalid"
      }))
      const refused = Schema.decodeUnknown(chunkedArray(list, counting, { jsonSchema: {} }), all)
      const reported = yield* issues(refused(Array.from({ length: 300 }, () => 0)))
      assert.deepStrictEqual([checked, reported.length], [maxIssues, maxIssues])
    }))
})
