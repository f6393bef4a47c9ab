import { readWav } from "@trunkline/audio"
import { formOf, type Seen } from "@trunkline/http-client/testing"
import { Effect } from "effect"
import { answering, tone, wavOf } from "./Speaking.js"

export const audio = tone(0.1)

export const wav = answering("audio/wav", wavOf(audio))

/** A form: its texts as they are, its files as what they hold when read as WAV. */
export const read = (request: Seen | undefined) =>
  Effect.promise(async () => {
    const form = request === undefined ? new FormData() : await formOf(request)
    const entries = await Promise.all(Array.from(form, async ([name, value]) =>
      [
        name,
        typeof value === "string" ? value : readWav(new Uint8Array(await value.arrayBuffer()), { seconds: 60 })
      ] as const))
    return Object.fromEntries(entries)
  })
