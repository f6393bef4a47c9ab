import { Data, Either } from "effect"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

export const usage = `Plays a campaign through in simulated time, before anybody is called.

  npm run rehearse -- [--contacts people.csv --transformation transformation.json | --count 100000]
                      [--campaign campaign.json] [--callees model.json] [--prices prices.json]
                      [--lines 50] [--seed 7] [--now 2026-03-02T09:30:00+05:30]
                      [--no-search] [--json] [--log FILE]

  --contacts        whom the campaign calls: a CSV, with the transformation of its columns (as cohorts are uploaded)
  --count           or just how many people
  --campaign        what creates the campaign: the body of POST .../campaigns
  --callees         how people take calls; whatever is left out has a default (docs/rehearsal.md)
  --prices          what connected calls cost: currency, per_minute (one price or the lowest and the highest), pulse_seconds
  --lines           calls that the workspace holds at once (default 10)
  --seed            the same seed gives the same rehearsal (default 1)
  --now             when it begins (default: when the campaign starts)
  --no-search       do not look for the lowest rate that finishes, which plays the campaign some more times
  --json            the report as JSON
  --log             writes a line for everything that happens into a file

Without arguments it plays the sample in examples/rehearse/sample.`

/** Arguments of the command line. */
export interface Arguments {
  readonly people:
    | { readonly _tag: "Count"; readonly count: number }
    | { readonly _tag: "File"; readonly csv: string; readonly transformation: string }
  readonly campaign: string
  readonly callees: string | null
  readonly prices: string | null
  readonly lines: number
  readonly seed: string
  readonly now: string | null
  readonly search: boolean
  readonly json: boolean
  readonly log: string | null
}

/** Why nothing is played, in one line that says what to do. */
export class Unusable extends Data.TaggedError("Unusable")<{ readonly message: string }> {}

const sample = (name: string) => fileURLToPath(new URL(`../sample/${name}`, import.meta.url))

/** Where npm was called; it runs the script in another folder. */
const fromCaller = (path: string) => resolve(process.env["INIT_CWD"] ?? "", path)

const fileOrNull = (path: string | undefined) => path === undefined ? null : fromCaller(path)

const wrong = (message: string) => Either.left(new Unusable({ message: `${message} (--help shows what there is)` }))

const wholeNumber = (text: string, largest: number): number | null => {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= 1 && number <= largest ? number : null
}

const parsed = (words: ReadonlyArray<string>) =>
  Either.try({
    try: () =>
      parseArgs({
        args: words.filter((word) => word !== "--"),
        options: {
          contacts: { type: "string" },
          transformation: { type: "string" },
          count: { type: "string" },
          campaign: { type: "string" },
          callees: { type: "string" },
          prices: { type: "string" },
          lines: { type: "string", default: "10" },
          seed: { type: "string", default: "1" },
          now: { type: "string" },
          "no-search": { type: "boolean", default: false },
          json: { type: "boolean", default: false },
          log: { type: "string" },
          help: { type: "boolean", default: false }
        }
      }).values,
    catch: (error) =>
      new Unusable({ message: `${error instanceof Error ? error.message : ""} (--help shows what there is)` })
  })

type Values = Either.Either.Right<ReturnType<typeof parsed>>

const peopleOf = ({ contacts, count, transformation }: Values): Either.Either<Arguments["people"], Unusable> => {
  if (count !== undefined) {
    const people = wholeNumber(count, 10_000_000)
    if (contacts !== undefined) return wrong("Give --contacts or --count, not both")
    return people === null
      ? wrong("--count must be a whole number from 1 to 10000000")
      : Either.right({ _tag: "Count", count: people })
  }
  if (contacts === undefined) {
    return transformation === undefined
      ? Either.right({ _tag: "File", csv: sample("people.csv"), transformation: sample("transformation.json") })
      : wrong("--transformation says how to read --contacts, which is missing")
  }
  return transformation === undefined
    ? wrong(
      `--contacts needs --transformation, which names the column of the numbers, such as ${
        sample("transformation.json")
      }`
    )
    : Either.right({ _tag: "File", csv: fromCaller(contacts), transformation: fromCaller(transformation) })
}

/** Reads the command line; null when it asks for help. */
export const readArguments = (words: ReadonlyArray<string>): Either.Either<Arguments | null, Unusable> =>
  Either.flatMap(parsed(words), (values) => {
    if (values.help) return Either.right(null)
    const lines = wholeNumber(values.lines, 1_000_000)
    if (lines === null) return wrong("--lines must be a whole number from 1 to 1000000")
    return Either.map(peopleOf(values), (people) => ({
      people,
      lines,
      campaign: values.campaign === undefined ? sample("campaign.json") : fromCaller(values.campaign),
      callees: fileOrNull(values.callees),
      prices: fileOrNull(values.prices),
      seed: values.seed,
      now: values.now ?? null,
      search: !values["no-search"],
      json: values.json,
      log: fileOrNull(values.log)
    }))
  })
