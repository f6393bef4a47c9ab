import type { RehearsalProgress } from "@trunkline/rehearsal"
import { Effect } from "effect"

const width = 30

const textOf = ({ at, dials, people, people_done, step }: RehearsalProgress): string => {
  if (step === "searching") return "Looking for the lowest rate that finishes"
  const share = people === null || people === 0 ? 0 : Math.min(1, people_done / people)
  const bar = "#".repeat(Math.round(share * width)).padEnd(width, ".")
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ")
  return `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${time} UTC  ${dials} dials`
}

/** A bar that is written over on a terminal; elsewhere a line every ten per cent. On the error output, beside the report. */
export const telling = () => {
  const { isTTY } = process.stderr
  let told = -10
  const tell = (progress: RehearsalProgress) =>
    Effect.sync(() => {
      if (isTTY) return void process.stderr.write(`\r\u001b[2K${textOf(progress)}`)
      const { people, people_done, step } = progress
      const percent = people === null || people === 0 ? 0 : Math.floor(100 * people_done / people)
      if (step === "playing" && percent < told + 10) return
      told = percent
      console.error(textOf(progress))
    })
  const close = Effect.sync(() => void (isTTY && process.stderr.write("\r\u001b[2K")))
  return { tell, close }
}
