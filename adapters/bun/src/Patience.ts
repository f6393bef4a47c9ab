import type { BunServer } from "./BunServer.js"

/**
 * How long things may take, in seconds. The answer to a request begins within ten minutes, since a body may be 100 MB
 * (decisions 12). A client has two minutes to take each piece of the answer, and then to ask for something else.
 */
const patience = { request: 600, answer: 120 }

/** The same bytes, whose client is cut off when it does not take them, and not while there are none. */
const paced = (body: ReadableStream<Uint8Array>, request: Request, server: BunServer): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      server.timeout(request, 0)
      const { done, value } = await reader.read()
      server.timeout(request, patience.answer)
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  }, { highWaterMark: 0 })
}

/**
 * The answer to a request, which takes as long as it takes unless the client is too slow. Bun 1.4 counts a connection's
 * seconds whatever passes over it, so that its default of ten would cut long uploads and downloads, and quiet streams.
 */
export const withPatience = async (
  request: Request,
  server: BunServer,
  answering: () => Promise<Response | undefined>
): Promise<Response | undefined> => {
  server.timeout(request, 0)
  const late = setTimeout(() => server.timeout(request, 1), patience.request * 1_000)
  const response = await answering().finally(() => clearTimeout(late))
  if (response === undefined) return undefined
  server.timeout(request, patience.answer)
  if (response.headers.has("content-length")) return response
  if (request.method === "HEAD") {
    // Bun would declare a length of zero.
    response.headers.set("transfer-encoding", "chunked")
    return response
  }
  return response.body === null ? response : new Response(paced(response.body, request, server), response)
}
