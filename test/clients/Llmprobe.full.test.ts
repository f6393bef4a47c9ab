import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { servedWith } from "./Server.js"

const server = servedWith([])

const packageFile = createRequire(import.meta.url).resolve("llmprobe/package.json")
const program = join(dirname(packageFile), "bin", "dist", "llmprobe.mjs")

/** An assertion of the suite that did not hold. */
interface Miss {
  readonly id: string
  readonly severity: string
  readonly message: string
}

interface Report {
  readonly conformance: {
    readonly results: ReadonlyArray<
      { readonly id: string; readonly outcome: string; readonly failures: ReadonlyArray<Miss> }
    >
  }
}

/** Where the specification wants something else than the suite. */
const waivers: ReadonlyArray<{ readonly message: RegExp; readonly because: string }> = [
  {
    message: /^usage\.prompt_tokens_details: Expected object, received null$/,
    because: "prompt_tokens_details is null on a cache miss (specification, Chat completions v1)"
  },
  {
    message: /^stream never sent the terminal `data: \[DONE\]` sentinel$/,
    because: "responses end with their terminal event, without a sentinel (specification, Streaming)"
  },
  {
    message: /^((response\.)?(created|completed)_at: Expected integer, received float(; |$))+$/,
    because: "created_at and completed_at are floats (specification, Responses)"
  }
]

/** Has the suite look at one model of a version, without what judges the model rather than the server. */
const probe = async (version: string, model: string): Promise<Report> => {
  const home = await mkdtemp(join(tmpdir(), "llmprobe-"))
  const file = join(home, "report.json")
  const words = [`${server.url}/${version}`, "-k", testKeys.beta, "-m", model, "--reasoning", "default"]
  const quietly = ["--no-bench", "--no-save", "--no-color", "--save", file]
  try {
    await new Promise<void>((resolve) => {
      execFile(
        process.execPath,
        [program, ...words, ...quietly],
        { env: { ...process.env, HOME: home } },
        () => resolve()
      )
    })
    return JSON.parse(await readFile(file, "utf8"))
  } finally {
    await rm(home, { recursive: true })
  }
}

describe("llmprobe", () => {
  it.each([["v2", "core-105b", 50], ["v2", "model-g", 50], ["v1", "core-105b", 25]] as const)(
    "finds no faults with %s and %s except documented differences",
    async (version, model, least) => {
      const { conformance: { results } } = await probe(version, model)
      const misses = results.flatMap(({ failures, id }) => failures.map((miss) => ({ where: id, ...miss })))
      const unexplained = misses.filter(({ message }) => !waivers.some((waiver) => waiver.message.test(message)))
      assert.deepStrictEqual(unexplained, [])
      assert.isAtLeast(results.filter(({ outcome }) => outcome === "pass").length, least)
      const unused = waivers.filter((waiver) => !misses.some(({ message }) => waiver.message.test(message)))
      if (version === "v2") assert.deepStrictEqual(unused, [])
    }
  )
})
