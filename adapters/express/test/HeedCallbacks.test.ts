import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { heedCallbacks } from "../src/HeedCallbacks.js"

/** Does what `compression` and `express-session` do: an `end` of its own that knows no callback. */
const forget = (response: ServerResponse) => {
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
    heedCallbacks(response)
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

describe("the callback of an answer's end", () => {
  for (const [how, prepare] of [["as it is", () => undefined], ["replaced by one that forgets it", forget]] as const) {
    it(`is called where \`end\` is ${how}`, async () => {
      assert.deepStrictEqual(await answering(prepare, (response, done) => response.end("whole", done)), ["whole", true])
      assert.deepStrictEqual(await answering(prepare, (response, done) => response.end(done)), ["", true])
    })
  }
})
