import { once } from "node:events"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

/** Start of a response up to its first token: to the end of that event, or into the middle of a document. */
const untilFirstWord = (answer: string): string => {
  const word = answer.indexOf("One")
  const eventEnd = answer.indexOf("\n\n", word)
  return answer.slice(0, eventEnd < 0 ? word : eventEnd + 2)
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
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
    response.write(untilFirstWord(await answer.text()), () => response.destroy())
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
