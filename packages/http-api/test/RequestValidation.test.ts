import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { partReader, queryReader } from "../src/request/RequestValidation.js"

const issuesOf = (read: Effect.Effect<unknown, { readonly issues: ReadonlyArray<{ loc: unknown; msg: string }> }>) =>
  Effect.runSync(Effect.either(read)).pipe(
    Either.match({
      onLeft: ({ issues }) => issues.map(({ loc, msg }) => [loc, msg]),
      onRight: (value) => value
    })
  )

describe("parameters of requests", () => {
  const message = "Must not hold NUL characters"

  it("lose a NUL in a path, so that the id is unknown", () => {
    const path = partReader("path", Schema.Struct({ id: Schema.String }))
    assert.deepStrictEqual(issuesOf(path({ id: "a\0" })), { id: "a\uFFFD" })
    assert.deepStrictEqual(issuesOf(path({ id: "a" })), { id: "a" })
  })

  it("are refused where a query holds a NUL, each by its name", () => {
    const query = queryReader(Schema.Struct({ search: Schema.String, tags: Schema.Array(Schema.String) }))
    assert.deepStrictEqual(issuesOf(query({ search: "\0", tags: ["a", "b\0"] })), [
      [["query", "search"], message],
      [["query", "tags"], message]
    ])
    assert.deepStrictEqual(issuesOf(query({ search: "a", tags: "b" })), { search: "a", tags: ["b"] })
  })
})
