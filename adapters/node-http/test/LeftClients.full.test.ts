import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { endResponse } from "../src/Linger.js"

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
const server = createServer((request, response) => answer(request, response))

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})
afterAll(() => server.close())

describe("a response to a client that has left in the middle of its body", () => {
  it("leaves no timer behind", async () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const ended = new Promise<number>((resolve) => {
      answer = (incoming, response) => {
        incoming.on("error", () => undefined)
        response.once("close", () => {
          const before = timers()
          endResponse(incoming, response, "too late")
          resolve(timers() - before)
        })
        sent.destroy()
      }
    })
    const sent = request({ port, host: "127.0.0.1", method: "POST" }).on("error", () => undefined)
    sent.write("{")
    assert.strictEqual(await ended, 0)
  })
})
