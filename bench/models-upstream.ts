import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A minimal OpenAI-compatible server, the upstream of all gateways in the bench. */
const words = Array.from({ length: 30 }, (_, index) => `word${index} `)
const usage = { prompt_tokens: 12, completion_tokens: words.length, total_tokens: 12 + words.length }

const head = { id: "chatcmpl-bench", created: 1_767_225_600, model: "bench" }

const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: words.join("") }, finish_reason: "stop" }],
  usage
})

const frame = (choices: ReadonlyArray<unknown>, rest = {}) =>
  `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...rest })}\n\n`

const wordFrames = words.map((content) => frame([{ index: 0, delta: { content }, finish_reason: null }]))
const roleFrame = frame([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }])
const endFrames = [frame([{ index: 0, delta: {}, finish_reason: "stop" }]), frame([], { usage }), "data: [DONE]\n\n"]
  .join("")

/** Times at which connections were closed before their response ended, in Unix milliseconds. */
const closed: Array<number> = []

/** A message that requests a paced stream, such as "470 words, one every 21 ms". */
const paced = /(\d+) words, one every (\d+) ms/

const streamPaced = (response: ServerResponse, count: number, every: number) => {
  response.write(roleFrame)
  let sentCount = 0
  const timer = setInterval(() => {
    response.write(wordFrames[sentCount % wordFrames.length])
    sentCount += 1
    if (sentCount === count) {
      clearInterval(timer)
      response.end(endFrames)
    }
  }, every)
  response.once("close", () => {
    clearInterval(timer)
    if (!response.writableFinished) closed.push(Date.now())
  })
}

const answer = (body: string, response: ServerResponse) => {
  const { stream = false } = JSON.parse(body)
  if (!stream) return void response.setHeader("content-type", "application/json").end(whole)
  response.setHeader("content-type", "text/event-stream")
  const [, count = "", every = ""] = paced.exec(body) ?? []
  if (count !== "") return streamPaced(response, Number(count), Number(every))
  response.write(roleFrame)
  for (const one of wordFrames) response.write(one)
  response.end(endFrames)
}

const server = createServer((request, response) => {
  if (request.method === "GET") return void response.end(JSON.stringify(closed))
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (piece) => body += piece)
  request.on("end", () => answer(body, response))
})

server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
process.on("disconnect", () => process.exit(0))
