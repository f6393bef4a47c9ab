import { RehearsalReport, rehearse, renderReport } from "@trunkline/rehearsal"
import { Effect, Either, Schema } from "effect"
import { open } from "node:fs/promises"
import { type Arguments, readArguments, Unusable, usage } from "./Arguments.js"
import { readInputs, whyRejected } from "./Inputs.js"
import { telling } from "./Progress.js"

/** Where the log is written; nowhere without a path. */
const logTo = (path: string | null) =>
  path === null ? Effect.succeed(() => Effect.void) : Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => open(path, "w"),
        catch: () => new Unusable({ message: `${path} cannot be written: give --log a file in a folder that exists` })
      }),
      (file) => Effect.promise(() => file.close())
    ),
    (file) => (lines: string) => Effect.asVoid(Effect.promise(() => file.writeFile(lines)))
  )

const encodeReport = Schema.encode(RehearsalReport)

const play = (words: Arguments) =>
  Effect.scoped(Effect.gen(function*() {
    const { callees, campaign, contacts, now, prices, rejected } = yield* readInputs(words)
    const onLog = yield* logTo(words.log)
    const progress = telling()
    const start = performance.now()
    const report = yield* rehearse({
      campaign,
      contacts,
      seed: words.seed,
      maxConcurrentCalls: words.lines,
      lowestRate: words.search,
      onLog,
      onProgress: progress.tell,
      ...(callees === null ? {} : { callees }),
      ...(prices === null ? {} : { prices }),
      ...(now === null ? {} : { now })
    }).pipe(Effect.ensuring(progress.close))
    const seconds = (performance.now() - start) / 1_000
    const searched = report.lowest_rate_that_finishes?.runs ?? 0
    console.error(
      `Played ${report.dials} calls${
        searched > 0 ? `, and the campaign ${searched} more times at other rates` : ""
      }, in ${seconds.toFixed(1)} s`
    )
    if (words.json) return console.log(JSON.stringify(yield* encodeReport(report), null, 2))
    if (rejected > 0) {
      console.log(`${rejected} rows of the file are rejected and left out: ${whyRejected}\n`)
    }
    console.log(renderReport(report))
  }))

const say = (message: string) =>
  Effect.sync(() => {
    console.error(message)
    process.exitCode = 1
  })

const program = Either.match(readArguments(process.argv.slice(2)), {
  onLeft: ({ message }) => say(message),
  onRight: (words) =>
    words === null
      ? Effect.sync(() => console.log(usage))
      : Effect.catchAll(play(words), ({ message }) => say(message))
})

await Effect.runPromise(program)
