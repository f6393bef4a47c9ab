import type { JudgeAgreement } from "../models/Judge.js"
import type { TestResult } from "./Suite.js"

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "\n": "&#10;"
}

/** Characters that XML 1.0 does not have, and halves of a pair. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}]/gu

/** Longest message of a failure in JUnit's XML, which repeats the beginning of its text, in UTF-16 units. */
const maxMessage = 1_000

const inXml = (text: string): string =>
  text.replaceAll(forbidden, "").replaceAll(/[&<>"\n]/gu, (character) => escapes[character] ?? character)

const sumOf = (
  results: ReadonlyArray<TestResult>,
  field: "seconds" | "calls" | "inputTokens" | "outputTokens"
): number => results.reduce((sum, result) => sum + result[field], 0)

const countFailed = (results: ReadonlyArray<TestResult>): number => results.filter(({ isPassed }) => !isPassed).length

const caseXml = ({ failure, file, name, seconds, suite }: TestResult): string => {
  const head = `    <testcase name="${inXml(name)}" classname="${inXml(suite)}" file="${inXml(file)}" time="${
    seconds.toFixed(3)
  }"`
  if (failure === null) return `${head}/>`
  const [first = ""] = failure.split("\n")
  return `${head}>\n      <failure message="${inXml(first.slice(0, maxMessage))}">${
    inXml(failure).replaceAll("&#10;", "\n")
  }</failure>\n    </testcase>`
}

/** Results as JUnit's XML, which CI servers read. */
export const junitOf = (results: ReadonlyArray<TestResult>): string => {
  const suites = [...new Set(results.map(({ suite }) => suite))].map((name) => {
    const cases = results.filter(({ suite }) => suite === name)
    return [
      `  <testsuite name="${inXml(name)}" tests="${cases.length}" failures="${countFailed(cases)}" time="${
        sumOf(cases, "seconds").toFixed(3)
      }">`,
      ...cases.map(caseXml),
      "  </testsuite>"
    ].join("\n")
  })
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="trunkline" tests="${results.length}" failures="${countFailed(results)}" time="${
      sumOf(results, "seconds").toFixed(3)
    }">`,
    ...suites,
    "</testsuites>",
    ""
  ].join("\n")
}

/** Judges of suites, and how far they agree with labelled transcripts. */
export type SuiteJudges = Readonly<Record<string, JudgeAgreement>>

/** Results as JSON, with their sums. */
export const jsonOf = (results: ReadonlyArray<TestResult>, judges: SuiteJudges): string =>
  `${
    JSON.stringify(
      {
        tests: results.length,
        failed: countFailed(results),
        calls: sumOf(results, "calls"),
        seconds: sumOf(results, "seconds"),
        judges,
        results
      },
      null,
      2
    )
  }\n`

const costOf = ({ cost, currency, inputTokens, outputTokens }: TestResult): string =>
  cost === null ? `${inputTokens + outputTokens} tokens` : `${cost.toFixed(4)} ${currency}`

/** Results as a table with the time and the cost of each test, followed by the judges and the failures. */
export const tableOf = (results: ReadonlyArray<TestResult>, judges: SuiteJudges): string => {
  const rows = results.map((result) => [
    result.isPassed ? "ok" : "FAILED",
    `${result.suite}: ${result.name}`,
    result.runs === 1 ? "" : `${result.passedRuns}/${result.runs}`,
    `${result.calls} calls`,
    `${result.seconds.toFixed(2)} s`,
    costOf(result)
  ])
  const widths = Array.from({ length: 6 }, (_, column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const failureCount = countFailed(results)
  return [
    ...rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()),
    "",
    `${results.length - failureCount} of ${results.length} tests passed, ${sumOf(results, "calls")} calls in ${
      sumOf(results, "seconds").toFixed(2)
    } s`,
    ...Object.entries(judges).map(([suite, { line }]) => `${suite}: ${line}`),
    ...results.flatMap(({ failure, name, suite }) => failure === null ? [] : ["", `${suite}: ${name}`, failure])
  ].join("\n")
}
