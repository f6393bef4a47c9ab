import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const executablePath = "/usr/bin/chromium"

/** True where there is a browser to look with: the Debian package chromium. */
export const hasBrowser = existsSync(executablePath)

/** Starts the browser with a profile of its own, which it forgets, and with further arguments. */
export const startBrowser = (further: ReadonlyArray<string> = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...further
    ]
  })
