import { Effect } from "effect"
import { talk } from "./Talk.js"

const { stderr, stdin, stdout } = process

process.exitCode = await Effect.runPromise(
  talk(
    process.argv.slice(2),
    { input: stdin, output: stdout, errors: stderr },
    {
      folder: process.env["INIT_CWD"] ?? process.cwd()
    }
  )
)
