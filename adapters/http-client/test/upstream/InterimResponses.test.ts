import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { makeInterimFilter } from "../../src/upstream/InterimResponses.js"

const continues = "HTTP/1.1 100 Continue\r\n\r\n"
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n"
const final = `HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n${continues}${continues}`

/** Rest of a response that arrives in pieces of a size. */
const filtered = (response: string, size: number) => {
  const filter = makeInterimFilter()
  let text = ""
  for (let at = 0; at < response.length; at += size) {
    const rest = filter.pass(Buffer.from(response.slice(at, at + size)))
    text += rest === null ? "" : rest.toString()
  }
  return text
}

describe("the filter of interim responses", () => {
  it.prop(
    "drops those before the final response, however the bytes are split, and nothing after its beginning",
    [FastCheck.array(FastCheck.constantFrom(continues, hints)), FastCheck.integer({ min: 1, max: 60 })],
    ([interim, size]) => {
      assert.strictEqual(filtered(interim.join("") + final, size), final)
    },
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it("passes on what is no interim response", () => {
    for (const text of ["HTTP/1.1 101 Switching Protocols\r\n\r\n", "hello", "HTTP/2 100", "\r\n\r\n", final]) {
      assert.strictEqual(filtered(text, 1), text)
    }
  })

  it("begins again with the next request", () => {
    const filter = makeInterimFilter()
    assert.strictEqual(filter.pass(Buffer.from(continues + final))?.toString(), final)
    filter.begin()
    assert.isNull(filter.pass(Buffer.from(continues)))
    assert.strictEqual(filter.pass(Buffer.from(hints + final))?.toString(), final)
  })

  it("fails beyond 16 KB", () => {
    const filter = makeInterimFilter()
    assert.isNull(filter.pass(Buffer.from(continues.repeat(600))))
    assert.throws(() => filter.pass(Buffer.from(continues.repeat(100))), /interim/)
    assert.throws(
      () => makeInterimFilter().pass(Buffer.from(`HTTP/1.1 103 Hints\r\nx: ${"y".repeat(20_000)}`)),
      /interim/
    )
  })
})
