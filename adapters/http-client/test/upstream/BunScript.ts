import { makeUpstream } from "@trunkline/http-client"
import { Effect, Fiber, Stream } from "effect"

/** Posts to the server at the address that it is given, and writes what becomes of it. */
const [baseUrl = ""] = process.argv.slice(2)

const tell = (name: string, value: unknown) => Effect.sync(() => console.log(JSON.stringify({ [name]: value })))

const main = Effect.gen(function*() {
  const { post } = yield* makeUpstream("speech server", { baseUrl, timeouts: { betweenBytes: 200 } })
  const read = (path: string, body: FormData | Readonly<Record<string, unknown>> = { text: "hello" }) =>
    Effect.scoped(
      Effect.flatMap(post({ path, body, accept: "*/*" }), ({ bytes }) =>
        Stream.runFold(bytes, 0, (length, { length: more }) => length + more))
    )

  const form = new FormData()
  form.append("clip", new Blob([new Uint8Array(100_000)], { type: "audio/wav" }), "a.wav")
  yield* tell("form", yield* read("/whole", form))
  yield* tell("json", yield* read("/whole"))
  for (const path of ["/cut", "/short", "/stall", "/refused", "/moved"]) {
    yield* tell(path, (yield* Effect.flip(read(path))).message)
  }
  const silent = yield* Effect.fork(read("/silent"))
  yield* Effect.sleep(100)
  yield* Fiber.interrupt(silent)
  yield* tell("silent", "interrupted")
  // The process stays until the server has seen it go.
  yield* Effect.sleep(200)
})

await Effect.runPromise(Effect.scoped(main))
