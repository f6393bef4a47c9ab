import { mkdir, readdir, writeFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { StartError } from "../server/Explain.js"
import type { JudgeAgreement } from "../testing/models/Judge.js"
import { runSuite } from "../testing/suites/RunSuite.js"
import type { Suite, TestResult } from "../testing/suites/Suite.js"
import { jsonOf, junitOf, tableOf } from "../testing/suites/SuiteReports.js"
import type { CommandRun } from "./Call.js"

/** Names of files with suites. */
const suiteFile = /\.calls\.(mjs|js|mts|ts)$/

/** Files with suites in a folder, in the order of their names. */
const suiteFiles = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true }).catch(() => {
    throw new StartError(`There is no folder ${folder}.`)
  })
  return entries.filter((entry) => suiteFile.test(entry) && !/(^|[/\\])node_modules[/\\]/.test(entry)).toSorted()
    .map((entry) => join(folder, entry))
}

const isSuite = (value: unknown): value is Suite =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" &&
  "tests" in value &&
  typeof value.tests === "object" && value.tests !== null

/** The suite of a file. */
const loadSuite = async (file: string): Promise<Suite> => {
  const loaded: { readonly default?: unknown; readonly suite?: unknown } = await import(pathToFileURL(file).href).catch(
    (error: unknown) => {
      const hint = /\.m?ts$/.test(file) && Reflect.get(process.features, "typescript") === undefined
        ? " Node.js reads TypeScript from 22.18 on; before, run it with: node --import tsx node_modules/.bin/trunkline test"
        : ""
      throw new StartError(
        `${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}.${hint}`
      )
    }
  )
  const suite = loaded.suite ?? loaded.default
  if (isSuite(suite)) return suite
  throw new StartError(`${file} exports no suite: write export const suite = defineSuite({ name, tests })`)
}

const writeReport = async (folder: string, path: string | boolean | undefined, text: string): Promise<void> => {
  if (typeof path !== "string") return
  const file = resolve(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Runs all suites of a folder; exits with 1 when a test fails, or when there is none. */
export const test: CommandRun = async ({ flags, folder, operands, print }) => {
  const [place = "."] = operands
  const root = resolve(folder, place)
  const files = await suiteFiles(root)
  if (files.length === 0) {
    throw new StartError(`There is no suite in ${root}: name its files as desk.calls.mjs`)
  }
  if (flags["update"] === true) process.env["TRUNKLINE_UPDATE"] = "1"
  const filter = typeof flags["filter"] === "string" ? flags["filter"] : ""
  const results: Array<TestResult> = []
  const judges: Record<string, JudgeAgreement> = {}
  for (const file of files) {
    const suite = await loadSuite(file)
    results.push(...await runSuite(suite, relative(folder, file), filter))
    if (suite.judge !== undefined) judges[suite.name] = await suite.judge.agreement()
  }
  if (results.length === 0) throw new StartError(`No test has "${filter}" in its name`)
  await writeReport(folder, flags["junit"], junitOf(results))
  await writeReport(folder, flags["report"], jsonOf(results, judges))
  print(flags["json"] === true ? jsonOf(results, judges).trimEnd() : tableOf(results, judges))
  return results.every(({ isPassed }) => isPassed) ? 0 : 1
}
