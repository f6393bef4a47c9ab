import { OpenAiModel } from "@trunkline/model-openai"
import type { ModelFailure, ModelRequest } from "@trunkline/models"
import { Chunk, Deferred, Effect, Fiber, Stream } from "effect"

/** Asks the upstream at the address that it is given for one answer of each kind, and writes what it gets. */
const [baseUrl = ""] = process.argv.slice(2)

const ask = (model: string): ModelRequest => ({ model, messages: [{ role: "user", content: "Hi" }] })

const tell = (name: string, value: unknown) => Effect.sync(() => console.log(JSON.stringify({ [name]: value })))

const why = ({ _tag, message }: ModelFailure) => `${_tag}: ${message}`

const main = Effect.gen(function*() {
  const model = yield* OpenAiModel.make({ baseUrl, timeouts: { betweenTokens: 200 } })
  const failing = (name: string) => Effect.flip(Stream.runDrain(model.stream(ask(name))))

  yield* tell("whole", (yield* model.generate(ask("whole"))).text)

  const chunks = yield* Stream.runCollect(Stream.chunks(model.stream(ask("stream"))))
  const said = Chunk.toReadonlyArray(chunks).map((deltas) =>
    Chunk.toReadonlyArray(deltas).map((delta) => delta._tag === "Text" ? delta.text : "").join("")
  )
  const last = Chunk.last(Chunk.flatten(chunks))
  yield* tell("stream", [said[0], said.slice(1).join(""), last._tag === "Some" ? last.value._tag : "nothing"])

  for (const name of ["cut", "stall", "busy", "moved"]) yield* tell(name, why(yield* failing(name)))

  const nobody = yield* OpenAiModel.make({ baseUrl: "http://127.0.0.1:1/v1" })
  yield* tell("refused", why(yield* Effect.flip(nobody.generate(ask("m")))))

  const silent = yield* Effect.fork(model.generate(ask("silent")))
  yield* Effect.sleep(100)
  yield* Fiber.interrupt(silent)
  yield* tell("silent", "interrupted")

  const begun = yield* Deferred.make<void>()
  const unread = yield* Effect.fork(
    Stream.runForEach(model.stream(ask("stall")), () => Deferred.succeed(begun, undefined))
  )
  yield* Deferred.await(begun)
  yield* Fiber.interrupt(unread)
  yield* tell("unread", "interrupted")
  // The process stays until the upstream has seen both go.
  yield* Effect.sleep(200)
})

await Effect.runPromise(Effect.scoped(main))
