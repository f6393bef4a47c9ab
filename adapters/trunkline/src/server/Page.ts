import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type Door, isLive } from "./Pasteable.js"

/** Folder of the page: beside the folder of the built package, and two above this file in its source. */
const folderOf = (moduleUrl: string): URL => {
  const [built, source] = [new URL("../assets/page/", moduleUrl), new URL("../../assets/page/", moduleUrl)]
  return existsSync(built) ? built : source
}

const asset = (name: string) => readFileSync(new URL(name, folderOf(import.meta.url)), "utf8")

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const isRead = (method: string | undefined): boolean => method === "GET" || method === "HEAD"

/** True for a browser that opens the address of the server; programs get the answer of the API there. */
const isForPage = ({ headers, method, url }: IncomingMessage): boolean =>
  isRead(method) && /^\/(?:\?|$)/.test(url ?? "") && (headers.accept ?? "").includes("text/html")

/**
 * Reads the page that shows boards in a browser. It has no data and no key of its own: it asks the API with the key that
 * the fragment of its address has, or that is typed in. It runs only its own script and contacts only this server.
 */
export const boardsPage = (): (request: IncomingMessage, response: ServerResponse) => boolean => {
  const [style, script] = [asset("board.css"), asset("board.mjs")]
  const page = asset("board.html").replace("{{style}}", () => style).replace("{{script}}", () => script)
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; script-src ${sourceOf(script)}; style-src ${sourceOf(style)}; `
      + "connect-src 'self'; img-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff"
  }
  return (request, response) => {
    if (!isForPage(request)) return false
    response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : page)
    return true
  }
}

/** Target of a link to the page. */
interface PageTarget extends Pick<Door, "org" | "workspace"> {
  readonly board?: string
  readonly campaign?: string
}

/** Address of the page without a key, for others. */
export const pageUrl = (url: string, { board, campaign, org, workspace }: PageTarget): string =>
  `${url}/#${new URLSearchParams({ org, workspace, ...(board && { board }), ...(campaign && { campaign }) })}`

/**
 * Address of the page with the key, for the terminal. Browsers do not send fragments, so the key is in no log of a server.
 * A live key is left out.
 */
export const openUrl = (url: string, door: Door, target: Pick<PageTarget, "board" | "campaign"> = {}): string =>
  pageUrl(url, { ...door, ...target }) + (isLive(door.key) ? "" : `&${new URLSearchParams({ key: door.key })}`)
