import { assert, describe, it } from "@effect/vitest"
import { type ClipFormat, type ClipHint, detectFormat, detectHeaderlessCodec } from "@trunkline/audio"
import { concatBytes } from "@trunkline/kernel"
import { FastCheck } from "effect"
import { isInstalled, output } from "../Tools.js"

const none: ClipHint = { filename: null, contentType: null }

const text = (letters: string) => new TextEncoder().encode(letters)

const hintOf = (filename: string): ClipHint => ({ filename, contentType: null })

const typed = (contentType: string): ClipHint => ({ filename: null, contentType })

/** A frame of MPEG-1 layer III, 128 kilobits at 44.1 kHz: 417 bytes. */
const mp3Frame = concatBytes([Uint8Array.of(0xFF, 0xFB, 0x90, 0x00), new Uint8Array(413)])

/** An ADTS frame of 100 bytes. */
const adtsFrame = concatBytes([Uint8Array.of(0xFF, 0xF1, 0x50, 0x80, 0x0C, 0x9F, 0xFC), new Uint8Array(93)])

/** An ID3 tag of 300 bytes after its header of 10. */
const tag = concatBytes([text("ID3\u0004\0\0"), Uint8Array.of(0, 0, 2, 44), new Uint8Array(300)])

const opus = concatBytes([text("OggS"), new Uint8Array(22), Uint8Array.of(1, 19), text("OpusHead")])

describe("formatOf", () => {
  it("detects formats by their first bytes", () => {
    const clips: ReadonlyArray<readonly [Uint8Array, ClipFormat | null]> = [
      [text("RIFF....WAVEfmt "), "wav"],
      [text(".snd...."), "au"],
      [text("fLaC\0"), "flac"],
      [opus, "ogg-opus"],
      [text("\0\0\0 ftypM4A "), "mp4"],
      [concatBytes([mp3Frame, mp3Frame]), "mp3"],
      [mp3Frame, "mp3"],
      [concatBytes([adtsFrame, adtsFrame]), "aac-adts"],
      [adtsFrame, "aac-adts"],
      [concatBytes([tag, mp3Frame, mp3Frame]), "mp3"],
      [concatBytes([tag, adtsFrame, adtsFrame]), "aac-adts"],
      [concatBytes([tag, text("fLaC")]), "flac"],
      [tag, "mp3"],
      [concatBytes([text("OggS"), new Uint8Array(22), Uint8Array.of(1, 30), text("\u0001vorbis")]), null],
      [concatBytes([mp3Frame, adtsFrame]), null],
      [text("RIFF....AVI "), null],
      [new Uint8Array(100), null],
      [new Uint8Array(), null]
    ]
    assert.deepStrictEqual(clips.map(([bytes]) => detectFormat(bytes, none)), clips.map(([, format]) => format))
  })

  it("prefers the first bytes to the name", () => {
    assert.strictEqual(detectFormat(text("RIFF....WAVEfmt "), hintOf("clip.mp3")), "wav")
    assert.strictEqual(detectFormat(text(".snd...."), typed("audio/basic")), "au")
    assert.strictEqual(
      detectFormat(concatBytes([mp3Frame, mp3Frame]), { filename: "a.raw", contentType: "audio/L16" }),
      "mp3"
    )
  })

  it("detects formats without a signature by their name", () => {
    const bytes = new Uint8Array(100)
    assert.strictEqual(detectFormat(bytes, hintOf("CLIP.ULAW")), "raw")
    assert.strictEqual(detectFormat(bytes, typed("audio/mpeg")), "mp3")
    assert.strictEqual(detectFormat(bytes, { filename: "a.pcm", contentType: "application/octet-stream" }), "raw")
    assert.strictEqual(detectFormat(bytes, hintOf("clip.aac")), "aac-adts")
    assert.strictEqual(detectFormat(bytes, hintOf("clip.wav")), null)
    assert.strictEqual(detectFormat(bytes, hintOf("constructor")), null)
    assert.strictEqual(detectFormat(bytes, typed("constructor")), null)
  })

  it("does not mistake silence of a telephone, nor a single sync word, for MP3", () => {
    for (const byte of [0xFF, 0x7F, 0xD5, 0x55]) {
      assert.strictEqual(detectFormat(new Uint8Array(2_000).fill(byte), hintOf("clip.ul")), "raw")
    }
    assert.strictEqual(detectFormat(concatBytes([mp3Frame, new Uint8Array(9)]), hintOf("clip.ul")), "raw")
  })

  it.prop(
    "returns a format or null for any bytes",
    [FastCheck.uint8Array(), FastCheck.string(), FastCheck.string()],
    ([bytes, filename, contentType]) => {
      const formats = ["wav", "au", "flac", "mp3", "ogg-opus", "aac-adts", "mp4", "raw", null]
      assert.include(formats, detectFormat(bytes, { filename, contentType }))
    }
  )

  it("detects clips without a header by their content type, then by their extension", () => {
    const codecs = {
      mulaw: [".ulaw", ".ul", ".mulaw", ".pcmu", "audio/basic", "audio/PCMU", "audio/x-mulaw"],
      alaw: [".alaw", ".al", ".pcma", "audio/PCMA", "audio/x-alaw"],
      linear16: [".raw", ".pcm", ".s16", ".l16", ".linear16", "audio/L16", "audio/pcm", "audio/x-linear16"]
    }
    for (const [codec, names] of Object.entries(codecs)) {
      for (const name of names) {
        const hint = name.startsWith(".") ? hintOf(`my.clip${name.toUpperCase()}`) : typed(`${name} ; rate=8000`)
        assert.strictEqual(detectHeaderlessCodec(hint), codec, name)
      }
    }
    assert.strictEqual(detectHeaderlessCodec({ filename: "a.raw", contentType: "audio/PCMU" }), "mulaw")
    assert.isNull(detectHeaderlessCodec({ filename: "ulaw", contentType: "text/plain" }))
  })

  describe.skipIf(!isInstalled("ffmpeg"))("that ffmpeg writes", () => {
    const tone = ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=0.5"]
    const written: ReadonlyArray<readonly [ClipFormat, ReadonlyArray<string>]> = [
      ["wav", ["-f", "wav"]],
      ["au", ["-f", "au", "-c:a", "pcm_mulaw"]],
      ["flac", ["-f", "flac"]],
      ["mp3", ["-f", "mp3"]],
      ["mp3", ["-f", "mp3", "-id3v2_version", "0", "-write_xing", "0", "-ar", "8000"]],
      ["mp3", ["-f", "mp3", "-id3v2_version", "0", "-write_xing", "0", "-ar", "22050"]],
      ["ogg-opus", ["-f", "ogg", "-c:a", "libopus"]],
      ["aac-adts", ["-f", "adts"]],
      ["mp4", ["-f", "mp4", "-movflags", "frag_keyframe+empty_moov"]]
    ]

    it.each(written)("detects %s", (format, args) => {
      assert.strictEqual(detectFormat(output("ffmpeg", [...tone, ...args, "pipe:1"]), none), format)
    })
  })
})
