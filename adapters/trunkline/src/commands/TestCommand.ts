import { reasonOfThrown } from "@trunkline/kernel"
import { mkdirSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { StartError } from "../server/Explain.js"
import type { JudgeAgreement } from "../testing/models/Judge.js"
import { loadSuite } from "../testing/suites/LoadSuite.js"
import { runSuite } from "../testing/suites/RunSuite.js"
import { notRun, type TestResult } from "../testing/suites/Suite.js"
import { jsonOf, junitOf, tableOf } from "../testing/suites/SuiteReports.js"
import { thrownText } from "../testing/ThrownText.js"
import type { CommandCall, CommandRun } from "./Call.js"

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

/** Sends what code prints on standard output to standard error until it is over, so that only the report is there. */
const withoutOutput = async <A>(run: () => Promise<A>): Promise<A> => {
  const { write } = process.stdout
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    return await run()
  } finally {
    process.stdout.write = write
  }
}

/** Writes a report at once: what tests have left behind could throw during a pause. */
const writeReport = ({ flags, folder }: CommandCall, flag: "junit" | "report", text: string): void => {
  const path = flags[flag]
  if (typeof path !== "string") return
  const file = resolve(folder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw new StartError(`--${flag}: ${path} cannot be written (${reasonOfThrown(error)}): name another file`)
  }
}

/** Results of the suites of some files, and how far their judges agree with labelled transcripts. */
const runFiles = async (files: ReadonlyArray<string>, folder: string, filter: string) => {
  const results: Array<TestResult> = []
  const judges: Record<string, JudgeAgreement> = {}
  for (const file of files) {
    const name = relative(folder, file)
    const suite = await loadSuite(file)
    if (typeof suite === "string") {
      results.push(notRun(name, suite))
      continue
    }
    results.push(...await runSuite(suite, name, filter))
    if (suite.judge === undefined) continue
    try {
      judges[suite.name] = await suite.judge.agreement()
    } catch (error) {
      results.push(notRun(name, `The agreement of the judge cannot be measured: ${thrownText(error)}`))
    }
  }
  return { judges, results }
}

/** Runs all suites of a folder; exits with 1 when a test fails or a file cannot be loaded, or when there is no test. */
export const test: CommandRun = async (call) => {
  const { flags, folder, operands, print } = call
  const [place = "."] = operands
  const root = resolve(folder, place)
  const files = await suiteFiles(root)
  if (files.length === 0) {
    throw new StartError(`There is no suite in ${root}: name its files as desk.calls.mjs`)
  }
  if (flags["update"] === true) process.env["TRUNKLINE_UPDATE"] = "1"
  const filter = typeof flags["filter"] === "string" ? flags["filter"] : ""
  const isJson = flags["json"] === true
  const run = () => runFiles(files, folder, filter)
  const { judges, results } = await (isJson ? withoutOutput(run) : run())
  if (results.length === 0) throw new StartError(`No test has "${filter}" in its name`)
  print(isJson ? jsonOf(results, judges).trimEnd() : tableOf(results, judges))
  writeReport(call, "junit", junitOf(results))
  writeReport(call, "report", jsonOf(results, judges))
  return results.every(({ isPassed }) => isPassed) ? 0 : 1
}
