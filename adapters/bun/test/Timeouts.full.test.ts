import { assert, describe, it, vi } from "@effect/vitest"
import { withTimeouts } from "../src/BunServer.js"

/** Makes a server that records its timeouts. */
const makeServer = () => {
  const given: Array<number> = []
  const server = {
    timeout: (_: Request, seconds: number) => void given.push(seconds),
    requestIP: () => null,
    upgrade: () => false,
    stop: async () => {}
  }
  return { given, server }
}

const request = new Request("http://localhost/")

const bytes = (text: string) => new TextEncoder().encode(text)

describe("withTimeouts", () => {
  it("sets no timeout until the response begins, and two minutes after that", async () => {
    const { given, server } = makeServer()
    const answer = await withTimeouts(request, server, async () => {
      assert.deepStrictEqual(given, [0])
      return new Response("hello", { headers: { "content-length": "5" } })
    })
    assert.strictEqual(await answer?.text(), "hello")
    assert.deepStrictEqual(given, [0, 120])
  })

  it("cuts a request after ten minutes without a response", async () => {
    vi.useFakeTimers()
    const { given, server } = makeServer()
    let answer = (_: undefined) => {}
    const answered = withTimeouts(request, server, () => new Promise((resolve) => answer = resolve))
    vi.advanceTimersByTime(599_999)
    assert.deepStrictEqual(given, [0])
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(given, [0, 1])
    answer(undefined)
    await answered
    assert.strictEqual(vi.getTimerCount(), 0)
    vi.useRealTimers()
  })

  it("allows two minutes for each chunk, and sets no timeout while there is none", async () => {
    const { given, server } = makeServer()
    let source: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) })
    const init = { status: 201, headers: { "content-type": "text/event-stream" } }
    const answer = await withTimeouts(request, server, async () => new Response(body, init))
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

  it("cancels a stream whose client has disconnected", async () => {
    const { server } = makeServer()
    let reason: unknown
    const body = new ReadableStream({ cancel: (given) => void (reason = given) })
    const answer = await withTimeouts(request, server, async () => new Response(body))
    await answer?.body?.cancel("gone")
    assert.strictEqual(reason, "gone")
  })

  it("passes on rejections and stream failures", async () => {
    const { server } = makeServer()
    const failed = await withTimeouts(request, server, () => Promise.reject(new Error("no"))).catch(String)
    assert.strictEqual(failed, "Error: no")
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("broken")) })
    const answer = await withTimeouts(request, server, async () => new Response(body))
    assert.strictEqual(await answer?.text().catch(String), "Error: broken")
  })
})
