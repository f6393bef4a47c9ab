import { AgentVersion, definitionIssues } from "@trunkline/agents"
import { Effect, Schema } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { type Arguments, Unusable } from "./Arguments.js"
import { demoAgent } from "./DemoAgent.js"

/** Reads a file; the error is one line. */
export const readBytes = (path: string): Effect.Effect<Uint8Array, Unusable> =>
  Effect.tryPromise({
    try: () => readFile(path),
    catch: (error) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
      return new Unusable({ message: `${path} cannot be read: ${code === "ENOENT" ? "there is no such file" : code}` })
    }
  })

const decodeVersion = Schema.decodeUnknown(AgentVersion, { onExcessProperty: "error", errors: "all" })

const agentIn = (path: string) =>
  Effect.gen(function*() {
    const bytes = yield* readBytes(path)
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(new TextDecoder().decode(bytes)),
      catch: (error) => new Unusable({ message: `${path} is no JSON: ${error instanceof Error ? error.message : ""}` })
    })
    return yield* Effect.mapError(
      decodeVersion(json),
      (error) => new Unusable({ message: `${path} needs a correction: ${definitionIssues(error).join("; ")}` })
    )
  })

/** The version of the agent that talks, which must speak the wanted language. */
export const readAgent = ({ agent, language }: Arguments): Effect.Effect<AgentVersion, Unusable> =>
  Effect.filterOrFail(
    agent === null ? Effect.succeed(demoAgent) : agentIn(agent),
    ({ languages }) => language === null || languages.some((spoken) => spoken === language),
    ({ languages }) =>
      new Unusable({ message: `The agent does not speak ${language}. Its languages: ${languages.join(", ")}` })
  )

/** Writes a file; the error is one line. */
export const writeBytes = (path: string, bytes: Uint8Array): Effect.Effect<void, Unusable> =>
  Effect.tryPromise({
    try: () => writeFile(path, bytes),
    catch: () => new Unusable({ message: `${path} cannot be written: name a file in a folder that exists` })
  })
