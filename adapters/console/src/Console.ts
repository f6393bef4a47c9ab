import type { IncomingMessage, ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import { answerPage } from "./Answer.js"
import { type ConsoleLink, type ConsolePage, namedPages } from "./HostPages.js"
import { readPageFiles } from "./PageFiles.js"

/** Options of the console. */
export interface ConsoleOptions {
  /** Path of the console in this server, without a slash at its end. `/console` by default. */
  readonly path?: string
  /** Path of the API as browsers see it, such as `/voice`. That above the console by default. */
  readonly api?: string
  /** Hides everything that changes something. The key decides what is allowed; this decides what is offered. Off by default. */
  readonly readOnly?: boolean
  /** Links to pages of the host in the sidebar. */
  readonly links?: ReadonlyArray<ConsoleLink>
  /** Pages of the host inside the console, each with its title in the sidebar. */
  readonly pages?: ReadonlyArray<ConsolePage>
}

/** The console, for any server. Both answer only requests for the console, so that others go on to the host. */
export interface Console {
  /** Answers a request of `node:http` and returns true, or returns false. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Answers a request of a fetch server; null for all other requests. */
  readonly fetch: (request: Request) => Response | null
}

const isRead = (method: string | undefined): boolean => method === "GET" || method === "HEAD"

/** Path below that of the console; null for other paths. */
const pathBelow = (console: string, path: string): string | null =>
  path === console || path.startsWith(`${console}/`) ? path.slice(console.length) : null

/** Path of a request as its browser sees it: frameworks cut off where they are mounted, and keep the whole beside it. */
const wholeUrl = (request: IncomingMessage): string =>
  "originalUrl" in request && typeof request.originalUrl === "string" ? request.originalUrl : request.url ?? "/"

const withoutQuery = (url: string) => url.split("?", 1)[0] ?? ""

/**
 * Makes the console: files that ship with this package, served from memory. It has no data and no key of its own; the page asks
 * the API with the key that a person signs in with. Throws for a page of the host that cannot be shown.
 */
export const makeConsole = (
  { api, links = [], pages = [], path: console = "/console", readOnly = false }: ConsoleOptions = {}
): Console => {
  const files = readPageFiles(fileURLToPath(new URL("./page", import.meta.url)))
  const settings = { api, links, pages: namedPages(pages), readOnly }
  return {
    node: (request, response) => {
      const path = pathBelow(console, withoutQuery(request.url ?? ""))
      if (path === null || !isRead(request.method)) return false
      const whole = withoutQuery(wholeUrl(request))
      const base = whole.slice(0, whole.length - path.length)
      const encodings = String(request.headers["accept-encoding"] ?? "")
      const { body, headers, status } = answerPage(files, settings, { base, encodings, path })
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
      response.end(request.method === "HEAD" ? undefined : body)
      return true
    },
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      const path = pathBelow(console, pathname)
      if (path === null || !isRead(request.method)) return null
      const base = pathname.slice(0, pathname.length - path.length)
      const answer = answerPage(files, settings, {
        base,
        encodings: request.headers.get("accept-encoding") ?? "",
        path
      })
      const body = request.method === "HEAD" ? null : new Uint8Array(Buffer.from(answer.body))
      return new Response(body, { status: answer.status, headers: answer.headers })
    }
  }
}
