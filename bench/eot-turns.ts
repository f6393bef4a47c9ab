import { type Audio, readWav } from "@trunkline/audio"
import { Either } from "effect"
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet"
import { readdirSync } from "node:fs"
import { join } from "node:path"

/** A pause of a turn, in seconds from the beginning of its sound. */
export interface SilenceSpan {
  readonly start: number
  readonly end: number
}

/** A turn of the data set of eot-bench. */
export interface Turn {
  readonly id: string
  readonly language: string
  readonly sound: Audio
  /** Its pauses; the last one is its end. */
  readonly spans: ReadonlyArray<SilenceSpan>
  /** Words with the times at which they end. */
  readonly words: ReadonlyArray<{ readonly text: string; readonly end: number }>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const listOf = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(value) ? value.filter(isRecord) : []

const soundOf = (audio: unknown): Audio | null => {
  const bytes = isRecord(audio) ? audio["bytes"] : null
  return bytes instanceof Uint8Array ? Either.getOrNull(readWav(bytes, { seconds: 600 })) : null
}

const readRows = async (path: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  parquetReadObjects({ file: await asyncBufferFromFile(path), utf8: false })

/** The turns of every Parquet file of a folder, one after the other. Rows whose sound is no WAV are told and left out. */
export async function* turnsIn(folder: string): AsyncGenerator<Turn> {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".parquet")).toSorted()) {
    const rows = await readRows(join(folder, name)).catch(() => null)
    if (rows === null) {
      console.warn(`  ${name} is left out: it is no whole Parquet file`)
      continue
    }
    for (const row of rows) {
      const sound = soundOf(row["audio"])
      const spans = listOf(row["silence_spans"]).map(({ end, start }) => ({ start: Number(start), end: Number(end) }))
      if (sound === null || spans.length === 0) {
        console.warn(`  ${name}: the turn ${String(row["id"])} is left out: it needs a WAV and its pauses`)
        continue
      }
      const words = listOf(row["words"]).map(({ end, text, word }) => ({
        text: String(text ?? word),
        end: Number(end)
      }))
      yield { id: String(row["id"]), language: String(row["language"]), sound, spans, words }
    }
  }
}
