import type { IncomingMessage, ServerResponse } from "node:http"
import { importConsole } from "../assembly/ConsolePage.js"
import { type Door, isLive } from "./Pasteable.js"
import type { ServerSettings } from "./ServerSettings.js"

/** True for a browser that opens the address of the server; programs get the answer of the API there. */
const isBrowserAtRoot = ({ headers, method, url }: IncomingMessage): boolean =>
  method === "GET" && /^\/(?:\?|$)/.test(url ?? "") && (headers.accept ?? "").includes("text/html")

/** Answers a request for a page and returns true, or returns false. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** Serves the console, and leads browsers to it that open the address of the server. */
export const consolePage = (console: { readonly node: PageHandler }): PageHandler => (request, response) => {
  if (!isBrowserAtRoot(request)) return console.node(request, response)
  response.writeHead(302, { location: "/console/" }).end()
  return true
}

/** The console, where its package is installed; null where it is not or is off, or where its page was not built, which is told. */
export const loadConsole = async (
  { links, mode, pages }: ServerSettings["console"],
  tell: (line: string) => void
): Promise<{ readonly node: PageHandler } | null> => {
  const loadedPackage = mode === "off" ? null : await importConsole()
  if (loadedPackage === null) return null
  try {
    return loadedPackage.makeConsole({ readOnly: mode === "read-only", links, pages })
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error))
    return null
  }
}

/** Target of a link to the console. */
interface PageTarget extends Pick<Door, "org" | "workspace"> {
  readonly board?: string
  readonly campaign?: string
}

/** Address of the console without a key, for others. */
export const pageUrl = (url: string, { board, campaign, org, workspace }: PageTarget): string =>
  `${url}/console/#${new URLSearchParams({ org, workspace, ...(board && { board }), ...(campaign && { campaign }) })}`

/**
 * Address of the console with the key, for the terminal. Browsers do not send fragments, so the key is in no log of a server.
 * A live key is left out.
 */
export const openUrl = (url: string, door: Door, target: Pick<PageTarget, "board" | "campaign"> = {}): string =>
  pageUrl(url, { ...door, ...target }) + (isLive(door.key) ? "" : `&${new URLSearchParams({ key: door.key })}`)
