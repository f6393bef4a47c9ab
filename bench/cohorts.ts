import { fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "tsup"
import type { Imported } from "./cohorts-contender.js"

const rows = Number(process.env["ROWS"] ?? 1_000_000)

const pick = <A>(from: ReadonlyArray<A>, index: number) => from[index % from.length]

const cities = ["Bengaluru", "मुंबई", "\"Delhi, North\"", "Chennai", "Kochi"]
const formats = [
  (digits: string) => digits,
  (digits: string) => `+91${digits}`,
  (digits: string) => `0${digits}`,
  (digits: string) => `${digits.slice(0, 5)} ${digits.slice(5)}`,
  (digits: string) => `91${digits}`,
  (digits: string) => `+91-${digits.slice(0, 5)}-${digits.slice(5)}`
]

/** A person of the file; one in ten has a number that is none. Numbers come in no order. */
const row = (index: number): string => {
  const digits = String(6_000_000_000 + (index * 2_654_435_761) % 3_999_999_999)
  const mobile = index % 10 === 3 ? digits.slice(0, 7) : pick(formats, index)?.(digits)
  return `id-${index},Person ${index},${mobile},${pick(cities, index)},${
    index % 100_000
  }.50,2026-12-05,hi,"gold ""plus"""\n`
}

const writeFile = async (path: string) => {
  const file = createWriteStream(path)
  file.write("id,name,mobile,city,balance,due,language,plan\n")
  for (let index = 0; index < rows;) {
    const end = Math.min(rows, index + 10_000)
    let block = ""
    while (index < end) block += row(index++)
    if (!file.write(block)) await once(file, "drain")
  }
  file.end()
  await once(file, "close")
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Builds the packages and the contenders, so that what runs is what is published, without anything that compiles. */
const prepare = async () => {
  const { status } = spawnSync(process.execPath, ["build.mjs"], {
    cwd: here(".."),
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error("The packages could not be built")
  await build({
    config: false,
    entry: [here("cohorts-contender.ts")],
    outDir: here("dist"),
    format: "esm",
    target: "node20",
    skipNodeModulesBundle: true,
    silent: true
  })
}

/** Has one contender import the file in a process of its own. */
const imported = async (name: string, folder: string, execArgv: ReadonlyArray<string>): Promise<Imported> => {
  const child = fork(here("dist/cohorts-contender.js"), [name, folder], {
    execArgv: [...execArgv]
  })
  const [result]: Array<Imported> = await once(child, "message")
  await once(child, "exit")
  if (result === undefined) throw new Error(`${name} gave no result`)
  return result
}

/** Who imports, and with what options of Node.js; V8 decides better without the first one's guesses about long lives. */
const contenders: ReadonlyArray<readonly [name: string, ...options: ReadonlyArray<string>]> = [
  ["fast-csv, libphonenumber-js, an insert for each row"],
  ["trunkline, in a worker thread", "--no-allocation-site-pretenuring"],
  ["trunkline, in place", "--no-allocation-site-pretenuring"],
  ["trunkline, in place", "--no-allocation-site-pretenuring", "--max-old-space-size=128"]
]

/** Imports a file of a million rows into SQLite, one row in ten of them bad, as an embedder would and as Trunkline does. */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "bench-cohorts-"))
  try {
    await prepare()
    await writeFile(join(folder, "people.csv"))
    const results: Array<Imported> = []
    for (const [name, ...options] of contenders) {
      const result = await imported(name, folder, options)
      results.push(result)
      console.log(
        `  ${[name, ...options].join(" ")}: ${result.seconds.toFixed(1)} s, ${
          Math.round(rows / result.seconds / 1000)
        }k rows a second`
      )
      console.log(
        `    ${result.valid} people, ${result.rejected} rejected; at most ${result.peakMegabytes} MB resident`
      )
      if (result.longestLag !== null) console.log(`    the event loop was late by at most ${result.longestLag} ms`)
      if (result.lookup !== null) console.log(`    a caller is found in ${result.lookup.toFixed(0)} µs`)
    }
    const [peer = Number.NaN, ...ours] = results.map(({ seconds }) => seconds)
    for (const [index, seconds] of ours.entries()) {
      console.log(
        `  ratio: ${contenders[index + 1]?.join(" ")} is ${(peer / seconds).toFixed(1)}x as fast as the first`
      )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
