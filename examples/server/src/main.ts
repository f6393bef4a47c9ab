import { readOptions, usage, UsageError } from "./Options.js"

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

/** Options are looked at first: whoever has mistyped one need not wait until all the rest is loaded. */
const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2), process.env, process.env["INIT_CWD"] ?? process.cwd())
  if (options === "help") return console.log(usage)
  const [{ explain }, { start }] = await Promise.all([import("trunkline/server"), import("./Start.js")])
  await start(options).catch((error: unknown) => fail(explain(error)))
}

main().catch((error: unknown) =>
  fail(
    error instanceof UsageError
      ? `${error.message}\n\n${usage}`
      : error instanceof Error
      ? error.stack ?? ""
      : String(error)
  )
)
