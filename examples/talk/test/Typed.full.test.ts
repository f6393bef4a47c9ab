import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../test/programs/Programs.js"

const root = new URL("../../..", import.meta.url)

const program = await bundled("examples/talk/src/main.ts")

/** Runs the program with lines typed into it. */
const talk = (words: ReadonlyArray<string>, input = "") =>
  spawnSync(process.execPath, [program, ...words], { cwd: root, encoding: "utf8", input })

const folder = mkdtempSync(join(tmpdir(), "trunkline-talk-"))

const fileOf = (name: string, contents: string) => {
  const path = join(folder, name)
  writeFileSync(path, contents)
  return path
}

describe("a typed conversation", () => {
  it("goes on until the agent has what it needs, and ends with the report", () => {
    const { status, stderr, stdout } = talk([], "A table, please\n4\nSunday\nNo, bye\n")
    assert.deepStrictEqual([status, stderr], [0, ""])
    assert.match(stdout, /^Agent: Hello, this is Asha at the Banyan Kitchen\./)
    assert.include(stdout, "You: Sunday\n")
    assert.match(
      stdout,
      /\nOutcome: (completed|partial), ended by the (agent|caller)\nVariables: .*\nDuration: \d+\.\d s\n$/
    )
    assert.include(stdout, "\"day\":\"Sunday\"")
  })

  it("is hung up by the end of the input", () => {
    const { status, stdout } = talk([])
    assert.strictEqual(status, 0)
    assert.include(stdout, "Outcome: partial, ended by the caller\nVariables: {}\n")
  })

  it("is one with the agent of a file, in the language of the command line", () => {
    const agent = fileOf(
      "agent.json",
      JSON.stringify({
        app_version: 1,
        committed: true,
        languages: ["English", "Hindi"],
        first_message: { English: "Good day", Hindi: "नमस्ते" }
      })
    )
    assert.match(talk(["--agent", agent]).stdout, /^Agent: Good day\n/)
    assert.match(talk(["--agent", agent, "--language", "Hindi"]).stdout, /^Agent: नमस्ते\n/)
    assert.strictEqual(
      talk(["--agent", agent, "--language", "Tamil"]).stderr,
      "The agent does not speak Tamil. Its languages: English, Hindi\n"
    )
  })

  it("does not begin with a wrong command line or file: one line says what to do", () => {
    const broken = fileOf("broken.json", JSON.stringify({ app_version: 0, committed: true }))
    const cases = [
      [["--volume", "3"], /^Unknown option '--volume' \(--help shows what there is\)\n$/],
      [["--model-name", "small"], /^--model-name and --model-key-env need --model \(/],
      [["--model", "localhost"], /^--model must be a URL that begins with http/],
      [["--agent", join(folder, "none.json")], /none\.json cannot be read: there is no such file\n$/],
      [["--agent", broken], /broken\.json needs a correction: app_version: .*\n$/]
    ] as const
    for (const [words, message] of cases) {
      const { status, stderr, stdout } = talk(words, "Hello\n")
      assert.deepStrictEqual([status, stdout], [1, ""])
      assert.match(stderr, message)
    }
    assert.include(talk(["--help"]).stdout, "npm run talk -- ")
  })
})
