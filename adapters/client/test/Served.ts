import { createClient, type TrunklineClient } from "@trunkline/client"

/** A request that a client sent. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: unknown
}

type Answer = Response | Error | "never"

/** A client whose server gives these answers, one after the other and the last one again, and the requests it sent. */
export const answering = (answers: ReadonlyArray<() => Answer>, options: { readonly timeout?: number } = {}) => {
  const sent: Array<Sent> = []
  const client: TrunklineClient = createClient({
    baseUrl: "https://voice.example.com/voice/",
    apiKey: "sk_test_a_b",
    workspace: "acme/main",
    ...options,
    fetch: async (url, { body, headers, method = "", signal }) => {
      sent.push({ method, url, headers: new Headers(headers), body })
      const answer = answers[Math.min(sent.length, answers.length) - 1]?.() ?? "never"
      if (answer instanceof Response) return answer
      if (answer instanceof Error) throw answer
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }))
    }
  })
  return { client, sent }
}

/** An answer with JSON. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}) => () =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

/** An answer with pieces of an event stream. */
export const eventStream = (...pieces: ReadonlyArray<string | Error>) => () => {
  const utf8 = new TextEncoder()
  const rest = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = rest.shift()
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) controller.error(piece)
      else controller.enqueue(utf8.encode(piece))
    }
  })
  return new Response(body, { headers: { "content-type": "text/event-stream" } })
}
