import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { prometheusType } from "./PrometheusText.js"

/** Answers a request for `/metrics` and returns true; returns false for all others. */
export type MetricsPage = (request: IncomingMessage, response: ServerResponse) => boolean

const digest = (text: string) => createHash("sha256").update(text).digest()

/** True for the token as `Authorization: Bearer <token>`. Takes the same time for all tokens. */
const hasToken = ({ headers: { authorization = "" } }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))

const answer = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers })
  response.end(text)
}

/** Makes the page `/metrics`. With a token, it is for those who show it. */
export const makeMetricsPage =
  (read: () => Promise<string>, token: string | null): MetricsPage => (request, response) => {
    const [path] = (request.url ?? "").split("?")
    if (path !== "/metrics") return false
    if (request.method !== "GET" && request.method !== "HEAD") {
      answer(response, 405, "Use GET\n", { allow: "GET, HEAD" })
    } else if (token !== null && !hasToken(request, token)) {
      answer(response, 401, "The metrics need the header Authorization: Bearer <metrics token of the server>\n", {
        "www-authenticate": "Bearer realm=\"metrics\""
      })
    } else {
      read().then(
        (text) => answer(response, 200, request.method === "HEAD" ? "" : text, { "content-type": prometheusType }),
        () => answer(response, 500, "The metrics could not be read\n")
      )
    }
    return true
  }
