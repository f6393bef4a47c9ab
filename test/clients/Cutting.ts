import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"

/** Passes an answer on until its first word was seen, and then breaks the connection. */
const cutAfterFirstWord = async (answer: Response, response: ServerResponse) => {
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
  const decoder = new TextDecoder()
  for await (const piece of answer.body ?? []) {
    const hasFirstWord = decoder.decode(piece, { stream: true }).includes("One")
    if (hasFirstWord) return void response.write(piece, () => response.destroy())
    response.write(piece)
  }
  response.end()
}

/** A server between clients and `target` that breaks every connection after the first word of an answer. */
export const cutting = async (target: string) => {
  const server = createServer(async (request, response) => {
    const { headers: { authorization = "" }, method = "POST", url } = request
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: await buffer(request)
    })
    await cutAfterFirstWord(answer, response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
