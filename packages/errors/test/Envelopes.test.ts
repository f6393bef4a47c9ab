import { assert, describe, it } from "@effect/vitest"
import { boardsCodes, BoardsFailure, envelope, mainCodes } from "@trunkline/errors"
import { families, message, table } from "./EnvelopeFixtures.js"

const codeEntries = { ...mainCodes, ...boardsCodes }

describe("envelope", () => {
  for (const [tag, [failure, ...expected]] of Object.entries(table)) {
    it(`gives ${tag} its status, code and headers in every family`, () => {
      const responses = families.map((family) => {
        const { body, retryAfterSeconds, status } = envelope(family, failure, "r1")
        return [
          status,
          ..."error" in body ? [body.error.code] : [],
          ..."detail" in body ? ["+detail"] : [],
          ...retryAfterSeconds === undefined ? [] : [`after ${retryAfterSeconds} s`]
        ].join(" ")
      })
      assert.deepStrictEqual(responses, expected)
    })
  }

  it("uses only statuses that are listed for the code", () => {
    for (const family of families) {
      for (const [failure] of Object.values(table)) {
        const { body, status } = envelope(family, failure, null)
        const allowed: ReadonlyArray<number> = "error" in body ? codeEntries[body.error.code].statuses : [422]
        assert.include(allowed, status, `${family} ${failure._tag}`)
      }
    }
  })

  it("uses the status that is listed for every code of the boards", () => {
    for (const code of ["TIMEOUT", "TENANT_ISOLATION_BREACH", "RESOURCE_LIMIT"] as const) {
      assert.deepStrictEqual(envelope("boards", new BoardsFailure({ code, message }), null), {
        status: boardsCodes[code].statuses[0],
        body: { error: { code, message } }
      })
    }
  })
})
