import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { ensureEndCallback } from "../src/ExpressHandler.js"

/** Replaces `end` with one that drops its callback, as `compression` and `express-session` do. */
const dropCallback = (response: ServerResponse) => {
  const end = response.end.bind(response)
  Object.assign(response, { end: (chunk?: unknown) => typeof chunk === "function" ? end() : end(chunk) })
}

const answering = async (
  prepare: (response: ServerResponse) => void,
  end: (response: ServerResponse, done: () => void) => void
) => {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  let isDone = false
  server.on("request", (_, response) => {
    prepare(response)
    ensureEndCallback(response)
    end(response, () => {
      isDone = true
    })
  })
  const answer = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
  const text = await answer.text()
  const closed = once(server, "close")
  server.close()
  server.closeAllConnections()
  await closed
  return [text, isDone]
}

describe("the callback of response.end", () => {
  for (
    const [how, prepare] of [["as it is", () => undefined], [
      "replaced by one that drops it",
      dropCallback
    ]] as const
  ) {
    it(`is called when \`end\` is ${how}`, async () => {
      assert.deepStrictEqual(await answering(prepare, (response, done) => response.end("whole", done)), ["whole", true])
      assert.deepStrictEqual(await answering(prepare, (response, done) => response.end(done)), ["", true])
    })
  }
})
