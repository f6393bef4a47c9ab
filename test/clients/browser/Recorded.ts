import { mkdtempSync, readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { answerPage, type PageSettings } from "../../../adapters/console/src/Answer.js"
import { readPageFiles } from "../../../adapters/console/src/PageFiles.js"
import { buildConsolePage } from "../../../tools/console-page.mjs"
import { consolePages } from "./ConsolePages.js"

/** Answers of a server, as they were recorded from the demo, and what they were asked. */
export interface Recording {
  /** Moment of the recording, which the page takes for now. */
  readonly at: string
  readonly ids: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<string, { readonly type: string; readonly body: string }>>
  /** Events of the live feed. */
  readonly events: ReadonlyArray<string>
}

const file = new URL("./recorded/console.json", import.meta.url)

/** Reads the recording, which `node --import tsx test/clients/browser/record.mjs` makes. */
export const readRecording = (): Recording => JSON.parse(readFileSync(file, "utf8"))

const withoutTimes = /^(start_datetime|end_datetime)$/

/** Name of a request in the recording: without what depends on the moment and on the width of a window. */
export const requestName = (method: string, url: string): string => {
  const { pathname, searchParams } = new URL(url)
  const query = [...searchParams].filter(([name]) => !withoutTimes.test(name) && name !== "width").sort()
  return `${method} ${pathname}?${new URLSearchParams(query)}`
}

/** Address of a page of the recording. */
export const addressOf = ({ ids }: Recording, name: string): string =>
  (consolePages[name] ?? name).replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? id)

/** Number of calls that go on after the events of a recording. */
export const callsGoingOn = ({ events }: Recording): number => {
  const told = events.map((event): { readonly type: string; readonly attempt_id?: string } => JSON.parse(event))
  const ids = (ended: boolean) =>
    told.filter(({ type }) => (type === "attempt.ended") === ended).flatMap(({ attempt_id }) => attempt_id ?? [])
  return new Set(ids(false)).size - new Set(ids(true)).size
}

const path = "/console"
let built: Promise<string> | undefined

/** Builds the page of the present source, once. */
const page = (): Promise<string> =>
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "trunkline-page-"))
    await buildConsolePage(folder)
    return folder
  })()

type Settings = Partial<Omit<PageSettings, "api">>

/** Answers requests for the console of the present source, and leaves others. */
export const consoleAnswers = async ({ links = [], pages = [], readOnly = false }: Settings) => {
  const files = readPageFiles(await page())
  return ({ url = "/" }: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname } = new URL(url, "http://localhost")
    if (!pathname.startsWith(path)) return false
    const request = { base: path, encodings: "", path: pathname.slice(path.length) }
    const { body, headers, status } = answerPage(files, { api: undefined, links, pages, readOnly }, request)
    response.writeHead(status, headers).end(body)
    return true
  }
}

/** Serves the page alone; answers come from the recording. */
export const servePage = async (
  { events = [], ...settings }: Settings & {
    /** Events of the live feed, which stays open after them. */
    readonly events?: ReadonlyArray<string>
  } = {}
) => {
  const answer = await consoleAnswers(settings)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    if (pathname.endsWith("/calls/live")) {
      response.writeHead(200, { "content-type": "text/event-stream" })
      return void response.write(events.map((event) => `data: ${event}\n\n`).join(""))
    }
    if (!answer(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Answers the requests of a page from a recording, at the moment of its making, with a key in the tab. */
export const answerFrom = async (
  page: Page,
  recording: Recording,
  change: (text: string) => string = (text) => text
) => {
  await page.clock.setFixedTime(new Date(recording.at))
  await page.addInitScript(`sessionStorage.setItem("trunkline.key", "sk_test_demo_recorded")`)
  await page.route(/\/(v1|v2|analytics|api|voices)(\/|\?|$)/, async (route) => {
    const request = route.request()
    const url = request.url()
    if (/\/console\//.test(new URL(url).pathname)) return route.continue()
    if (url.includes("/calls/live")) return route.continue()
    const answer = recording.answers[requestName(request.method(), url)]
    if (answer === undefined) {
      const error = { error: { message: `Not recorded: ${url}`, code: "not_found_error", request_id: "recorded" } }
      return route.fulfill({ status: 404, json: error })
    }
    return route.fulfill({
      contentType: answer.type,
      body: answer.type.includes("json") ? change(answer.body) : answer.body
    })
  })
}
