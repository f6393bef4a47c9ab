import { csvLine, type CsvReader, csvRows, rejectedCsv } from "@trunkline/cohorts"
import { Chunk, Effect, Option, Stream } from "effect"
import { parse } from "fast-csv"
import { Readable } from "node:stream"
import { fastCsvRows } from "../packages/cohorts/test/csv/FastCsvParser.js"

const rounds = 7
const rows = 100_000
const blockBytes = 65_536

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const row = (index: number) => [
  `+9198${String(10_000_000 + index)}`,
  index % 4 === 0 ? "आशा राव" : `Asha Rao ${index}`,
  "Mumbai",
  `${index}.50`,
  "2026-01-02",
  "a note of some length",
  "en",
  "quoted, as it has a comma"
]

const bytes = new TextEncoder().encode(Array.from({ length: rows }, (_, index) => csvLine(row(index))).join(""))
const blocks = Array.from(
  { length: Math.ceil(bytes.length / blockBytes) },
  (_, index) => bytes.subarray(index * blockBytes, (index + 1) * blockBytes)
)

/** The file in blocks, as files and sockets deliver them. */
const source = Stream.unfoldChunk(
  0,
  (index) => Option.map(Option.fromNullable(blocks[index]), (block) => [Chunk.of(block), index + 1] as const)
)

const pull = async (reader: CsvReader.Service["rows"]) => {
  let count = 0
  const pulling = Effect.flatMap(Stream.toPull(reader(source)), (next) =>
    Effect.forever(Effect.map(next, (chunk) => {
      count += chunk.length
    })))
  await Effect.runPromise(Effect.ignore(Effect.scoped(pulling)))
  return count
}

const read = async (reader: CsvReader.Service["rows"]) => {
  let count = 0
  await Effect.runPromise(Stream.runForEachChunk(reader(source), (chunk) =>
    Effect.sync(() => {
      count += chunk.length
    })))
  return count
}

const readWithFastCsvAlone = async () => {
  let count = 0
  for await (const _ of Readable.from(blocks).pipe(parse())) count += 1
  return count
}

const write = (line: (index: number) => string) => async () => {
  let written = 0
  for (let index = 0; index < rows; index++) written += line(index).length > 0 ? 1 : 0
  return written
}

const rejected = rejectedCsv(row(0), 0)

const contenders: ReadonlyArray<readonly [name: string, run: () => Promise<number>]> = [
  ["csvRows, pulled", () => pull(csvRows)],
  ["csvRows, runForEachChunk", () => read(csvRows)],
  ["fastCsvRows", () => read(fastCsvRows)],
  ["fast-csv's own stream", readWithFastCsvAlone],
  ["writing rejected rows", write((index) => rejected.row(row(index), ["invalid_phone_number"]))]
]

/** Prints the rows that each CSV reader parses per second of CPU time, taking turns on a file of eight text columns. */
export const run = async () => {
  const spent = contenders.map(() => Array<number>())
  for (let round = 0; round <= rounds; round++) {
    for (const [index, [name, run]] of contenders.entries()) {
      const before = process.cpuUsage()
      const count = await run()
      const { system, user } = process.cpuUsage(before)
      if (count !== rows) throw new Error(`${name} made ${count} rows of ${rows}`)
      if (round > 0) spent[index]?.push((user + system) / rows)
    }
  }
  const [ours = Number.NaN] = spent.map(median)
  contenders.forEach(([name], index) => {
    const micros = median(spent[index] ?? [])
    console.log(
      `${name}: ${Math.round(1_000_000 / micros).toLocaleString("en")} rows a second, ${
        (micros / ours).toFixed(1)
      } times the first's time`
    )
  })
}
