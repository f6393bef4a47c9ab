import { HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Stream } from "effect"
import { rangeResponse, requestedRange } from "../../src/response/RangeResponse.js"

const sound = new TextEncoder().encode("0123456789")

const recording = {
  bytes: Stream.make(sound),
  size: sound.length,
  read: ({ from, to }: { readonly from: number; readonly to: number }) => Stream.make(sound.subarray(from, to))
}

const send = async (headers: Readonly<Record<string, string>>) => {
  const response = HttpServerResponse.toWeb(rangeResponse(recording, "audio/wav", headers))
  return {
    status: response.status,
    range: response.headers.get("content-range"),
    ranges: response.headers.get("accept-ranges"),
    type: response.headers.get("content-type"),
    text: await response.text()
  }
}

describe("a range of a recording", () => {
  it("is that of RFC 9110, and the whole for what is not understood", () => {
    assert.deepStrictEqual(requestedRange("bytes=0-3", 10), { from: 0, to: 4 })
    assert.deepStrictEqual(requestedRange("Bytes = 4-", 10), { from: 4, to: 10 })
    assert.deepStrictEqual(requestedRange("bytes=-3", 10), { from: 7, to: 10 })
    assert.deepStrictEqual(requestedRange("bytes=-99", 10), { from: 0, to: 10 })
    assert.deepStrictEqual(requestedRange("bytes=8-99", 10), { from: 8, to: 10 })
    for (const header of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
      assert.strictEqual(requestedRange(header, 10), "beyond")
    }
    for (
      const header of [undefined, "", "bytes=-", "bytes=3-1", "bytes=0-1,4-5", "items=0-1", "bytes=a-b", "bytes=1e3-"]
    ) {
      assert.strictEqual(requestedRange(header, 10), "whole", header)
    }
  })

  it("is answered with 206, the whole with 200, and what does not exist with 416", async () => {
    const part = { ranges: "bytes", type: "audio/wav" }
    assert.deepStrictEqual(await send({}), { ...part, status: 200, range: null, text: "0123456789" })
    assert.deepStrictEqual(await send({ range: "bytes=2-4" }), {
      ...part,
      status: 206,
      range: "bytes 2-4/10",
      text: "234"
    })
    assert.deepInclude(await send({ range: "bytes=10-" }), { status: 416, range: "bytes */10", text: "" })
    assert.deepInclude(await send({ "range": "bytes=2-4", "if-range": "\"1\"" }), { status: 200, text: "0123456789" })
  })
})
