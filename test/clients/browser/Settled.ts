import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core"

/** Time that a busy machine may take for what takes a second. */
const maxWait = 120_000

const pendingOf = new WeakMap<Page, Set<Request>>()

/** The live feed stays open, and what the page itself made needs no network. */
const isAwaited = (request: Request) => !/\/calls\/live|^(blob|data):/.test(request.url())

/** Opens an empty page in a context of its own, whose requests are followed from the first on. */
export const newPage = async (browser: Browser, options: BrowserContextOptions): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(maxWait)
  const pending = new Set<Request>()
  pendingOf.set(page, pending)
  page.on("request", (request) => isAwaited(request) && pending.add(request))
  page.on("requestfinished", (request) => pending.delete(request))
  page.on("requestfailed", (request) => pending.delete(request))
  return page
}

/** Two frames with the effects that follow each; then what the page still waits for, as a text. */
const unfinished = `(async () => {
  for (let frame = 0; frame < 2; frame++) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
  await document.fonts.ready
  const all = (query, isReady) => Array.from(document.querySelectorAll(query)).filter((each) => !isReady(each))
  return [
    ...all(".skeleton, [aria-busy=true]", () => false),
    ...all("img", (image) => image.complete),
    ...all("audio[src]", (audio) => audio.readyState > 0 || audio.error !== null)
  ].map(({ outerHTML }) => outerHTML.slice(0, 200)).join()
})()`

/** Waits until nothing goes on in a page of `newPage`: no request, no skeleton, no picture, sound or font on its way. */
export const whenSettled = async (page: Page): Promise<void> => {
  const pending = pendingOf.get(page) ?? new Set()
  const start = Date.now()
  for (let quiet = 0; quiet < 2;) {
    const isIdle = pending.size === 0
    const rest = await page.evaluate<string>(unfinished)
    quiet = isIdle && pending.size === 0 && rest === "" ? quiet + 1 : 0
    if (Date.now() - start > maxWait) {
      throw new Error(`The page still waits for ${Array.from(pending, (each) => each.url()).join()} ${rest}`)
    }
  }
}
