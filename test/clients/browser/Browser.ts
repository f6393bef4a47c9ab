import { existsSync } from "node:fs"
import { type Browser, chromium, type Page } from "playwright-core"

const executablePath = "/usr/bin/chromium"

/** True where there is a browser to look with: the Debian package chromium. */
export const hasBrowser = existsSync(executablePath)

/** Starts the browser with a profile of its own, which it forgets. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ]
  })

/** A rectangle on the page, in pixels. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The page as it is seen. */
export interface Sight {
  /** Room for the cards. */
  readonly main: Box
  readonly cards: ReadonlyArray<Box>
  /** Charts: how wide they are shown and drawn, and whether they show something. */
  readonly charts: ReadonlyArray<{ readonly shown: number; readonly drawn: number; readonly isWhole: boolean }>
  /** Pixels that lie beyond the right edge of the window. */
  readonly beyond: number
}

const look = `(() => {
  const boxOf = (node) => {
    const { bottom, left, right, top } = node.getBoundingClientRect()
    return { bottom, left, right, top }
  }
  const all = (selector) => Array.from(document.querySelectorAll(selector))
  return {
    main: boxOf(document.querySelector("main")),
    cards: all("article").map(boxOf),
    charts: all("article img").map((image) => ({
      shown: image.clientWidth,
      drawn: image.naturalWidth,
      isWhole: image.complete && image.naturalWidth > 0
    })),
    beyond: document.documentElement.scrollWidth - window.innerWidth
  }
})()`

/** Looks at the page. */
export const sightOf = (page: Page): Promise<Sight> => page.evaluate<Sight>(look)

/** Cards in rows, by their upper edges. */
export const rowsOf = (cards: ReadonlyArray<Box>): ReadonlyArray<ReadonlyArray<Box>> => {
  const rows = new Map<number, Array<Box>>()
  for (const card of cards) rows.set(card.top, [...(rows.get(card.top) ?? []), card])
  return [...rows.values()]
}
