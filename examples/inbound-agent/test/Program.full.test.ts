import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { bundled } from "../../../test/programs/Programs.js"

const program = await bundled("examples/inbound-agent/src/main.ts")

describe("the example of an inbound agent", () => {
  it("prints the words of both sides of a call with sound", () => {
    const { stderr, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    const words = stdout.split("\n").filter((line) => /^(?:Agent|Caller|The call)/.test(line))
    assert.deepStrictEqual(words, [
      "Agent: Hello, this is the library. How can I help you?",
      "Caller: When are you open?",
      "Agent: We are open until nine. Is there anything else?",
      "Caller: No, thank you. Bye.",
      "Agent: Goodbye, and enjoy your books.",
      "The call was ended by the agent."
    ])
  })
})
