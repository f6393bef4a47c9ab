import { setTimeout as pause } from "node:timers/promises"
import { StartError } from "trunkline/server"
import { type LiveEvent, liveEvents } from "./LiveCalls.js"

/** Attempts at a request that the server rejects with 429 or 503. */
const maxAttempts = 60

/** The server has refused something that the demo asked of it; the message holds its answer. */
export class DemoFailed extends StartError {}

/** Talks to the server as any customer would: over its public HTTP API. */
export class Client {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  /** GETs JSON. */
  async get<A>(path: string): Promise<A> {
    return this.#json(await this.#send(path, { method: "GET" }))
  }

  /** GETs text. */
  async text(path: string): Promise<string> {
    return (await this.#send(path, { method: "GET" })).text()
  }

  /** POSTs JSON. */
  async post<A>(path: string, body: unknown): Promise<A> {
    const headers = { "content-type": "application/json" }
    return this.#json(await this.#send(path, { method: "POST", body: JSON.stringify(body), headers }))
  }

  /** POSTs a form with files. */
  async upload<A>(path: string, form: FormData): Promise<A> {
    return this.#json(await this.#send(path, { method: "POST", body: form }))
  }

  /** Hears of calls as they go on, until the signal; resolves once the server listens to us. */
  async watch(path: string, signal: AbortSignal, heard: (event: LiveEvent) => void): Promise<void> {
    const { body } = await this.#send(path, { method: "GET", signal })
    if (body === null) return
    const listen = async () => {
      for await (const event of liveEvents(body)) heard(event)
    }
    listen().catch(() => undefined)
  }

  async #json<A>(response: Response): Promise<A> {
    const json: A = JSON.parse(await response.text())
    return json
  }

  async #send(path: string, request: RequestInit & { readonly headers?: Record<string, string> }): Promise<Response> {
    const ask = () =>
      fetch(this.#url + path, {
        ...request,
        headers: { ...request.headers, "api-subscription-key": this.#key }
      })
    let response = await ask()
    for (let asked = 1; (response.status === 429 || response.status === 503) && asked < maxAttempts; asked++) {
      await response.body?.cancel()
      await pause(Number(response.headers.get("retry-after") ?? 1) * 1_000)
      response = await ask()
    }
    if (response.ok) return response
    throw new DemoFailed(
      `The demo cannot go on: ${request.method ?? "GET"} ${path} answered ${response.status}: ${await response.text()}`
    )
  }
}
