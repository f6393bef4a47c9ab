import { fork } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Imported } from "./cohorts-contender.js"
import { here, publish } from "./published.js"
import { report } from "./report.js"

const most = Number(process.env["ROWS"] ?? 1_000_000)

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

/** A contact in the file; one in ten has an invalid number. Numbers are unordered. */
const row = (index: number): string => {
  const digits = String(6_000_000_000 + (index * 2_654_435_761) % 3_999_999_999)
  const mobile = index % 10 === 3 ? digits.slice(0, 7) : pick(formats, index)?.(digits)
  return `id-${index},Person ${index},${mobile},${pick(cities, index)},${
    index % 100_000
  }.50,2026-12-05,hi,"gold ""plus"""\n`
}

const writeFile = async (path: string, rows: number) => {
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

/** Has one contender import the file in a separate process. */
const imported = async (name: string, folder: string, execArgv: ReadonlyArray<string>): Promise<Imported> => {
  const child = fork(here("dist/cohorts-contender.js"), [name, folder], {
    execArgv: [...execArgv]
  })
  const [result]: Array<Imported> = await once(child, "message")
  await once(child, "exit")
  if (result === undefined) throw new Error(`${name} gave no result`)
  return result
}

/** Importers with their Node.js options; the option keeps V8 from tenuring short-lived rows early. */
const contenders: ReadonlyArray<readonly [name: string, ...options: ReadonlyArray<string>]> = [
  ["fast-csv, libphonenumber-js, an insert for each row"],
  ["trunkline, in a worker thread"],
  ["trunkline, in place"],
  ["trunkline, in place", "--no-allocation-site-pretenuring"]
]

const figures = ({ cpuSeconds, peakMegabytes, seconds }: Imported) =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${peakMegabytes} MB`

const print = (title: string, rows: number, result: Imported) => {
  console.log(
    `  ${rows} rows, ${title}: ${result.seconds.toFixed(1)} s, ${
      Math.round(rows / result.seconds / 1000)
    }k rows a second`
  )
  console.log(
    `    ${result.valid} contacts, ${result.rejected} rejected; ${
      result.cpuSeconds.toFixed(1)
    } s of CPU; at most ${result.peakMegabytes} MB resident`
  )
  if (result.longestLag !== null) console.log(`    the event loop was late by at most ${result.longestLag} ms`)
  if (result.lookup !== null) console.log(`    a caller is found in ${result.lookup.toFixed(0)} µs`)
}

/** Has all contenders import a file of some rows, and reports them. */
const compare = async (folder: string, rows: number): Promise<void> => {
  await writeFile(join(folder, "people.csv"), rows)
  const results: Array<Imported> = []
  for (const [name, ...options] of contenders) {
    const result = await imported(name, folder, options)
    results.push(result)
    print([name, ...options].join(" "), rows, result)
  }
  const [peer, ...ours] = results
  if (peer === undefined) return
  for (const [index, result] of ours.entries()) {
    report({
      path: `cohort import, ${rows.toLocaleString("en")} rows: ${contenders[index + 1]?.join(" ")}`,
      ours: figures(result),
      peer: `fast-csv, libphonenumber-js ${figures(peer)}`,
      ratio: `${(peer.seconds / result.seconds).toFixed(1)} times as fast, ${
        (peer.cpuSeconds / result.cpuSeconds).toFixed(1)
      } times by CPU`,
      goal: rows === 1_000_000 ? "6 times, under 200 MB" : ""
    })
  }
}

/** Imports files of up to a million rows into SQLite, one row in ten of them invalid, with a hand-written import and with Trunkline's. */
export const run = async (): Promise<void> => {
  await publish("cohorts-contender.ts")
  for (const rows of [most / 100, most / 10, most]) {
    const folder = await mkdtemp(join(tmpdir(), "bench-cohorts-"))
    try {
      await compare(folder, rows)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}
