import { type ConsoleLink, frameSources, type NamedPage } from "./HostPages.js"
import type { PageFile, PageFiles } from "./PageFiles.js"

/** Settings that the page gets with its document. */
export interface PageSettings {
  readonly api: string | undefined
  readonly readOnly: boolean
  readonly links: ReadonlyArray<ConsoleLink>
  readonly pages: ReadonlyArray<NamedPage>
}

/** Path and encodings of a request for the page. */
export interface ConsoleRequest {
  /** Path below that of the console, such as `/assets/main.js`; empty without a slash at the end. */
  readonly path: string
  /** Path of the console as the browser sees it, such as `/voice/console`. */
  readonly base: string
  readonly encodings: string
}

/** A response without a server. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** It runs only its own scripts, contacts only this server, shows only the pages of its host, and is shown in no frame. */
const policyOf = ({ pages }: PageSettings): string =>
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; "
  + "media-src 'self' blob:; worker-src 'self' blob:; base-uri 'self'; form-action 'none'; "
  + `frame-src ${frameSources(pages)}; frame-ancestors 'none'`

const commonHeaders = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" }

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("\"", "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const headOf = (base: string, { api, links, pages, readOnly }: PageSettings) =>
  [
    `<base href="${escapeHtml(base)}/">`,
    ...(api === undefined ? [] : [`<meta name="api" content="${escapeHtml(api)}">`]),
    ...(readOnly ? [`<meta name="read-only" content="true">`] : []),
    ...(links.length === 0 ? [] : [`<meta name="links" content="${escapeHtml(JSON.stringify(links))}">`]),
    ...(pages.length === 0 ? [] : [`<meta name="pages" content="${escapeHtml(JSON.stringify(pages))}">`])
  ].join("")

const bodyOf = (file: PageFile, encodings: string): readonly [Buffer, Readonly<Record<string, string>>] => {
  if (/\bbr\b/.test(encodings)) return [file.brotli, { "content-encoding": "br" }]
  return /\bgzip\b/.test(encodings) ? [file.gzip, { "content-encoding": "gzip" }] : [file.plain, {}]
}

/** Answers a request for the console. Every path that is no file shows the page, which reads its state from the address. */
export const answerPage = (
  files: PageFiles,
  settings: PageSettings,
  { base, encodings, path }: ConsoleRequest
): PageAnswer => {
  if (path === "") return { status: 308, headers: { ...commonHeaders, location: `${base}/` }, body: "" }
  const name = /^\/assets\/([^/]+)$/.exec(path)?.[1]
  if (name !== undefined) {
    const file = files.assets.get(name)
    if (file === undefined) {
      return { status: 404, headers: { ...commonHeaders, "content-type": "text/plain" }, body: "Not found" }
    }
    const [body, encoding] = bodyOf(file, encodings)
    const cache = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }
    return { status: 200, headers: { ...commonHeaders, ...cache, ...encoding, "content-type": file.type }, body }
  }
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policyOf(settings)
  }
  return {
    status: 200,
    headers: { ...commonHeaders, ...headers },
    body: files.document.replace("{{head}}", () => headOf(base, settings))
  }
}
