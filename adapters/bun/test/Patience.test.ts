import { assert, describe, it, vi } from "@effect/vitest"
import { withPatience } from "../src/Patience.js"

/** A server that writes down how many seconds it was told to give. */
const timekeeper = () => {
  const given: Array<number> = []
  const server = {
    timeout: (_: Request, seconds: number) => void given.push(seconds),
    upgrade: () => false,
    stop: async () => {}
  }
  return { given, server }
}

const request = new Request("http://localhost/")

const bytes = (text: string) => new TextEncoder().encode(text)

describe("the patience with a client", () => {
  it("has no end while the answer is being made, and two minutes from then on", async () => {
    const { given, server } = timekeeper()
    const answer = await withPatience(request, server, async () => {
      assert.deepStrictEqual(given, [0])
      return new Response("hello", { headers: { "content-length": "5" } })
    })
    assert.strictEqual(await answer?.text(), "hello")
    assert.deepStrictEqual(given, [0, 120])
  })

  it("ends ten minutes after the request came", async () => {
    vi.useFakeTimers()
    const { given, server } = timekeeper()
    let answer = (_: undefined) => {}
    const answered = withPatience(request, server, () => new Promise((resolve) => answer = resolve))
    vi.advanceTimersByTime(599_999)
    assert.deepStrictEqual(given, [0])
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(given, [0, 1])
    answer(undefined)
    await answered
    assert.strictEqual(vi.getTimerCount(), 0)
    vi.useRealTimers()
  })

  it("is two minutes for every piece of a stream, and has no end while there is none", async () => {
    const { given, server } = timekeeper()
    let source: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) })
    const init = { status: 201, headers: { "content-type": "text/event-stream" } }
    const answer = await withPatience(request, server, async () => new Response(body, init))
    assert.deepStrictEqual([answer?.status, answer?.headers.get("content-type")], [201, "text/event-stream"])
    const reader = answer?.body?.getReader()
    assert.deepStrictEqual(given.splice(0), [0, 120])
    const first = reader?.read()
    assert.deepStrictEqual(given.splice(0), [0])
    source?.enqueue(bytes("one"))
    assert.deepStrictEqual((await first)?.value, bytes("one"))
    assert.deepStrictEqual(given.splice(0), [120])
    const last = reader?.read()
    source?.close()
    assert.isTrue((await last)?.done)
    assert.deepStrictEqual(given, [0, 120])
  })

  it("lets go of a stream whose client has gone", async () => {
    const { server } = timekeeper()
    let reason: unknown
    const body = new ReadableStream({ cancel: (given) => void (reason = given) })
    const answer = await withPatience(request, server, async () => new Response(body))
    await answer?.body?.cancel("gone")
    assert.strictEqual(reason, "gone")
  })

  it("passes on what goes wrong, and that a stream breaks", async () => {
    const { server } = timekeeper()
    const failed = await withPatience(request, server, () => Promise.reject(new Error("no"))).catch(String)
    assert.strictEqual(failed, "Error: no")
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("broken")) })
    const answer = await withPatience(request, server, async () => new Response(body))
    assert.strictEqual(await answer?.text().catch(String), "Error: broken")
  })
})
