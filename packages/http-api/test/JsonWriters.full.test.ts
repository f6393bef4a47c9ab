import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { jsonWriter } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Arbitrary, Either, FastCheck, Schema, type SchemaAST } from "effect"
import { Api } from "../src/api/Api.js"

/** Each schema of the responses of the HTTP interface, with the first endpoint and status that it belongs to. */
const responses = new Map<SchemaAST.AST, string>()

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, errors, successes }) => {
    for (const [status, { ast }] of [...successes, ...errors]) {
      if (ast._tag === "None" || responses.has(ast.value)) continue
      const name = `${endpoint.name} ${status}`
      responses.set(ast.value, name)
      // The boundary writes the body that an error is declared with.
      const bodies = ast.value._tag === "Union" ? ast.value.types : [ast.value]
      bodies.forEach((body) => body._tag === "Transformation" && responses.set(body.from, `${name}, the body`))
    }
  }
})

describe("writers of the responses of the HTTP interface", () => {
  for (const [ast, name] of responses) {
    it(`${name} is written as Schema encodes it`, () => {
      const schema = Schema.make<unknown, unknown, never>(ast)
      const encode = Schema.encodeEither(schema)
      const write = jsonWriter(schema)
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(schema), (value) => {
          const encoded = encode(value)
          if (Either.isRight(encoded)) assert.strictEqual(write(value), JSON.stringify(encoded.right))
          else assert.throws(() => write(value))
        }),
        { numRuns: propertyRuns(15) }
      )
    })
  }

  it("cover the interface", () => assert.isAbove(responses.size, 100))
})
