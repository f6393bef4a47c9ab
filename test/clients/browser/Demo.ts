import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { type ServerProcess, startServer } from "../../../examples/server/test/ServerProcess.js"
import { bundled } from "../../programs/Programs.js"
import { newPage } from "./Settled.js"

const shipped = new URL("../../../examples/server/assets/bootstrap.json", import.meta.url)

/** Somebody who thinks before each answer, nearly as long as the agent waits, so that the call can be watched. */
const slowPerson = { suffix: "99", callee: Array.from({ length: 6 }, () => ({ say: "Yes", after_seconds: 7 })) }

/** The demo's configuration with business time that runs so many times as fast as the clock on the wall. */
const atSpeed = (speed: number): string => {
  const bootstrap = JSON.parse(readFileSync(shipped, "utf8"))
  const path = join(mkdtempSync(join(tmpdir(), "trunkline-demo-")), "bootstrap.json")
  const { simulator } = bootstrap
  const slower = { ...simulator, speed, rules: [slowPerson, ...simulator.rules] }
  writeFileSync(path, JSON.stringify({ ...bootstrap, simulator: slower }))
  return path
}

/** A demo with its console, and the link that opens it signed in. */
export interface Demo {
  readonly server: ServerProcess
  readonly link: string
}

/** Starts the demo; at the speed of its own configuration unless told, which also gives slow people at numbers that end with 99. */
export const startDemo = async (speed?: number): Promise<Demo> => {
  const command = [await bundled("examples/server/src/main.ts")]
  const bootstrap = speed === undefined ? [] : ["--bootstrap", atSpeed(speed)]
  const server = await startServer(["--data", ":memory:", ...bootstrap], { command })
  await server.printed(/^http\S+#\S+$/m)
  return { server, link: /^http\S+#\S+$/m.exec(server.output())?.[0] ?? "" }
}

/** A page of the demo's console, signed in. */
export const openDemo = async (browser: Browser, { link, server }: Demo, path: string) => {
  const page = await newPage(browser, { viewport: { width: 1_280, height: 900 } })
  await page.goto(link)
  await page.getByRole("heading", { name: "Payment reminders" }).waitFor()
  await page.goto(`${server.url}/console/w/demo/main/${path}`)
  return page
}
