import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Headers and body of a request. */
export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Starts an HTTP server that keeps what it receives and answers as it is told. */
export const startServer = (answer: (request: Received, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly received: ReadonlyArray<Received>; readonly close: () => void }>(
      (resume) => {
        const received: Array<Received> = []
        const server = createServer((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => void chunks.push(chunk))
          request.on("end", () => {
            const { headers, url = "" } = request
            const got = { path: url, headers, body: Buffer.concat(chunks).toString() }
            received.push(got)
            answer(got, response)
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, received, close }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

/** Answers with a chat completion that may ask for a tool. */
export const sendCompletion = (
  response: ServerResponse,
  { text, tool }: { readonly text: string; readonly tool?: { readonly name: string; readonly arguments: string } }
): void => {
  const message = {
    role: "assistant",
    content: text,
    ...(tool && { tool_calls: [{ id: "call_1", type: "function", function: tool }] })
  }
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "small",
    choices: [{ index: 0, message, finish_reason: tool ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 }
  }))
}
