/** The server has refused something that the demo asked of it; the message holds its answer. */
export class DemoFailed extends Error {}

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

  async #json<A>(response: Response): Promise<A> {
    const json: A = JSON.parse(await response.text())
    return json
  }

  async #send(path: string, request: RequestInit & { readonly headers?: Record<string, string> }): Promise<Response> {
    const response = await fetch(this.#url + path, {
      ...request,
      headers: { ...request.headers, "api-subscription-key": this.#key }
    })
    if (response.ok) return response
    throw new DemoFailed(
      `The demo cannot go on: ${request.method ?? "GET"} ${path} answered ${response.status}: ${await response.text()}`
    )
  }
}
