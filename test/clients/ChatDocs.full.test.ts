import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import * as ai from "ai"
import { readFileSync } from "node:fs"
import OpenAI from "openai"
import ts from "typescript"
import { blocksOf } from "../docs/Blocks.js"
import { servedWith } from "./Server.js"

const blocks = blocksOf("chat.md", readFileSync(new URL("../../docs/chat.md", import.meta.url), "utf8"))
const server = servedWith([])

type Body = (require: (name: string) => object, exports: object, process: object, console: object) => Promise<void>

/** Runs the first block that has a word, against the test server in place of the demo's; returns what it prints. */
const printed = async (word: string) => {
  const place = () => ({ baseURL: `${server.url}/v2`, apiKey: testKeys.beta })
  const modules: Readonly<Record<string, object>> = {
    ai,
    "@ai-sdk/openai": {
      createOpenAI: (settings: object) => createOpenAI({ ...settings, ...place() })
    },
    "@ai-sdk/openai-compatible": {
      createOpenAICompatible: (settings: Parameters<typeof createOpenAICompatible>[0]) =>
        createOpenAICompatible({ ...settings, ...place() })
    },
    openai: {
      default: class extends OpenAI {
        constructor(settings: object) {
          super({ ...settings, ...place() })
        }
      }
    }
  }
  const texts: Array<string> = []
  const write = (...given: ReadonlyArray<unknown>) => void texts.push(given.join(" "))
  const { outputText } = ts.transpileModule(blocks.find(({ text }) => text.includes(word))?.text ?? "", {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  })
  const make = Reflect.get(Object.getPrototypeOf(async () => undefined), "constructor")
  const body: Body = Reflect.construct(make, ["require", "exports", "process", "console", outputText])
  await body((name) => modules[name] ?? assert.fail(`${name} is not given`), {}, { stdout: { write } }, { log: write })
  return texts.join("")
}

describe("the examples of the page about chat", () => {
  it("stream a reply to the client of OpenAI, and to the AI SDK", async () => {
    assert.match(await printed("new OpenAI"), /\w/)
    assert.match(await printed("streamText"), /\w/)
  })

  it("generate an object by its schema", async () => {
    const [, hour] = /^\S* ?(\d+)$/.exec(await printed("generateObject")) ?? []
    assert.isTrue(Number(hour) >= 9 && Number(hour) <= 18)
  })
})
