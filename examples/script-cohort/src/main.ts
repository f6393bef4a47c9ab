import {
  type CohortUser,
  csvHeader,
  csvLine,
  csvRows,
  fitFile,
  type ImportProgress,
  importRows,
  OverrideName,
  parseTransformation
} from "@trunkline/cohorts"
import { Console, Data, Effect, Exit, Stream } from "effect"
import { createReadStream } from "node:fs"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const usage = `Cleans a CSV of people to call.

  npm start -w @trunkline/example-script-cohort -- [people.csv] [transformation.json] [--out FOLDER]

Writes two files into the folder (clean, unless given): the people whose rows are right, with their numbers in E.164,
and the rows that were rejected, each with its reasons.`

const sample = (name: string) => fileURLToPath(new URL(`../sample/${name}`, import.meta.url))

/** Where npm was called; it runs the script in the folder of its package. */
const fromCaller = (path: string) => resolve(process.env["INIT_CWD"] ?? "", path)

const readArguments = () => {
  try {
    const { positionals, values } = parseArgs({
      args: process.argv.slice(2).filter((argument) => argument !== "--"),
      allowPositionals: true,
      options: { out: { type: "string", default: "clean" }, help: { type: "boolean", default: false } }
    })
    return { positionals, ...values, help: values.help || positionals.length > 2 }
  } catch {
    return { positionals: [], out: "clean", help: true }
  }
}

const { help, out, positionals } = readArguments()
const [people = sample("people.csv"), mapping = sample("transformation.json")] = positionals.map(fromCaller)
const folder = fromCaller(out)

class Unusable extends Data.TaggedError("Unusable")<{ readonly message: string }> {}

/** A step that the file system may refuse. */
const attempt = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (error) => new Unusable({ message: `${path} cannot be used: ${String(error)}` })
  })

const sizeOf = (path: string) =>
  Effect.filterOrFail(
    attempt(path, () => stat(path)),
    (found) => found.isFile(),
    () => new Unusable({ message: `${path} cannot be used: it is no file` })
  ).pipe(Effect.map(({ size }) => size))

const bytesOf = (path: string) => Stream.orDie(Stream.fromAsyncIterable(createReadStream(path), (error) => error))

const utf8 = new TextEncoder()

/** A file that is written a piece at a time, and takes its name when all has gone well. */
const writing = (path: string) =>
  Effect.map(
    Effect.acquireRelease(attempt(path, () => open(`${path}.part`, "w")), (file, exit) =>
      Effect.promise(async () => {
        await file.close()
        await (Exit.isSuccess(exit) ? rename(`${path}.part`, path) : rm(`${path}.part`))
      })),
    (file) => (bytes: Uint8Array) => Effect.asVoid(Effect.promise(() => file.writeFile(bytes)))
  )

/** One line on a terminal that is written over, or a line every ten per cent. */
const telling = () => {
  let told = -10
  return ({ percent, rejected_records, total_records }: ImportProgress) =>
    Effect.sync(() => {
      const line = `${percent} %: ${total_records} rows read, ${rejected_records} rejected`
      if (process.stderr.isTTY) process.stderr.write(`\r${line}`)
      else if (percent >= told + 10) console.error(line)
      else return
      told = percent
    })
}

const clean = Effect.gen(function*() {
  const json = yield* attempt(mapping, () => readFile(mapping))
  const transformation = yield* parseTransformation(json, null)
  const size = yield* sizeOf(people)
  const fitted = yield* fitFile(bytesOf(people), { transformation, terms: { requiresRows: true } })
  const variables = Object.keys(transformation.app_variables)
  const overrides = OverrideName.literals.filter((name) => transformation.app_overrides[name] !== undefined)

  yield* attempt(folder, () => mkdir(folder, { recursive: true }))
  const name = basename(people, ".csv")
  const cleanPath = join(folder, `${name}.clean.csv`)
  const rejectedPath = join(folder, `${name}.rejected.csv`)
  const writeClean = yield* writing(cleanPath)
  const writeRejected = yield* writing(rejectedPath)
  const lineOf = ({ agent_variables, app_overrides, user_identifier, user_phone_number }: CohortUser) =>
    csvLine([
      user_phone_number,
      user_identifier,
      ...variables.map((name) => agent_variables[name] ?? ""),
      ...overrides.map((name) => app_overrides[name] ?? "")
    ])
  yield* writeClean(utf8.encode(csvHeader(["user_phone_number", "user_identifier", ...variables, ...overrides])))

  let read = 0
  const tell = telling()
  const counts = yield* importRows({
    ...fitted,
    rows: Stream.drop(csvRows(Stream.tap(bytesOf(people), ({ length }) => Effect.sync(() => read += length))), 1),
    maxRows: 10_000_000,
    percent: () => Math.floor(100 * read / Math.max(1, size)),
    keep: ({ progress, users }) => Effect.zipRight(writeClean(utf8.encode(users.map(lineOf).join(""))), tell(progress)),
    reject: Stream.runForEach(writeRejected)
  })
  if (process.stderr.isTTY) console.error("")
  yield* Console.log(`${counts.total_records} rows: ${counts.valid_records} right, in ${cleanPath}`)
  yield* Console.log(`${counts.rejected_records} rejected, with their reasons in ${rejectedPath}`)
})

const program = Effect.catchAll(Effect.scoped(clean), ({ message }) =>
  Effect.sync(() => {
    console.error(message)
    process.exitCode = 1
  }))

if (help) console.log(usage)
else await Effect.runPromise(program)
