import { assert, describe, it } from "@effect/vitest"
import { wavFrames } from "@trunkline/audio"
import { Effect, Either } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { callerFile, folder, run, silence, soundIn, spoken, wordsIn } from "./SoundCall.js"

describe("a conversation with the sound of a file", () => {
  it.effect("writes what the caller hears, and prints each turn with its time", () =>
    Effect.gen(function*() {
      callerFile("booking.wav", [
        silence(8),
        yield* spoken("A table, please."),
        silence(8),
        yield* spoken("4"),
        silence(8),
        yield* spoken("Sunday"),
        silence(2)
      ])
      const { code, errors, output } = yield* run("--audio", "booking.wav", "heard.wav")
      assert.strictEqual(code, 0, errors)
      assert.match(errors, /^Without --transcriber only the sound of modemVoice is understood/)
      assert.match(output, /^\[00:0\d\.\d\] Agent: Hello, this is Asha/)
      assert.match(output, /\n\[00:\d\d\.\d\] Caller: Sunday\n/)
      assert.include(
        output,
        "Outcome: completed, ended by the agent\nVariables: {\"guests\":\"4\",\"day\":\"Sunday\"}\n"
      )
      const heard = soundIn("heard.wav")
      assert.strictEqual(heard.rate, 8_000)
      const words = yield* wordsIn(heard.samples)
      assert.isTrue(words.startsWith("Hello, this is Asha at the Banyan Kitchen."), words)
      assert.include(words, "May I know the day of the visit?")
      assert.isTrue(words.endsWith("Goodbye."), words)
    }))

  it.effect("hangs up in the silence after the sound, and writes both sides when asked to", () =>
    Effect.gen(function*() {
      callerFile("short.wav", [silence(8), yield* spoken("A table, please."), silence(1)])
      const { output } = yield* run("--audio", "short.wav", "both.wav", "--both")
      assert.include(output, "Outcome: partial, ended by the caller")
      const frames = Either.getOrThrow(wavFrames(readFileSync(join(folder, "both.wav"))))
      assert.deepStrictEqual([frames.channels, frames.rate, frames.encoding], [2, 8_000, "s16"])
      const view = new DataView(frames.bytes.buffer, frames.bytes.byteOffset, frames.bytes.byteLength)
      const side = (channel: number) =>
        Float32Array.from(
          { length: frames.bytes.byteLength / 4 },
          (_, at) => view.getInt16(at * 4 + channel * 2, true) / 32_768
        )
      assert.strictEqual(yield* wordsIn(side(0)), "A table, please.")
      assert.include(yield* wordsIn(side(1)), "May I know the number of guests?")
      yield* run("--audio", "both.wav", "again.wav")
      assert.include(yield* wordsIn(soundIn("again.wav").samples), "May I know the number of guests?")
    }))

  it.effect("does not begin with files or options that cannot be used", () =>
    Effect.gen(function*() {
      writeFileSync(join(folder, "text.wav"), "no sound")
      const cases = [
        [["--audio", "none.wav", "out.wav"], /none\.wav cannot be read: there is no such file\n$/],
        [["--audio", "text.wav", "out.wav"], /text\.wav cannot be used: It is not a WAV file\n$/],
        [["--audio", "text.wav"], /^--audio needs two files/],
        [["--audio", "text.wav", "./text.wav"], /^--audio needs two different files/],
        [["--both"], /^--both, --real-time and --transcriber need --audio/],
        [["in.wav"], /^Nothing is known of "in\.wav"/]
      ] as const
      for (const [words, message] of cases) {
        const { code, errors, output } = yield* run(...words)
        assert.deepStrictEqual([code, output], [1, ""])
        assert.match(errors, message)
      }
    }))
})
