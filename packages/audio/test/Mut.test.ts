import { AudioCodecs, plainCodecs, ClipRefused } from "@trunkline/audio"
import { audioCodecsLaws } from "@trunkline/audio/testing"
import { Effect, Layer } from "effect"
const base = plainCodecs(Effect.void)
const codecs = ["wav", "linear16", "mulaw", "alaw"] as const
type S = typeof base
const run = (name: string, change: Partial<S>) => audioCodecsLaws(name, Layer.succeed(AudioCodecs, { ...base, ...change }), { codecs: [...codecs] })
run("M1 written", { written: [...codecs, "flac"] })
run("M2 louder", { decode: (c, l) => Effect.map(base.decode(c, l), (s) => ({ ...s, samples: s.samples.map((x) => x * 1.02) })) })
run("M3 shorter", { decode: (c, l) => Effect.map(base.decode(c, l), (s) => ({ ...s, samples: s.samples.subarray(1) })) })
run("M4 nolimit", { decode: (c) => base.decode(c, { seconds: 1e9 }) })
run("M5 reason", { decode: (c, l) => Effect.mapError(base.decode(c, l), (e) => e._tag === "ClipRefused" ? new ClipRefused({ reason: "unreadable", message: "" }) : e) })
run("M6 wrap", { encode: (s, f) => base.encode({ ...s, samples: s.samples.map((x) => x > 1 ? x - 2 : x < -1 ? x + 2 : x) }, f) })
run("M7 keeps buffer", { encoder: (f) => Effect.map(base.encoder(f), (e) => { const kept: Float32Array[] = []; return { push: (x) => Effect.sync(() => { kept.push(x); return new Uint8Array() }), end: Effect.suspend(() => Effect.flatMap(Effect.forEach(kept, e.push), (bs) => Effect.map(e.end, (b) => new Uint8Array(Buffer.concat([...bs, b]))))) } }) })
const shared = Effect.runSync(Effect.scoped(base.encoder({ codec: "mulaw", rate: 8000 })))
run("M8 rate", { decode: (c, l) => Effect.map(base.decode(c, l), (s) => ({ ...s, rate: s.rate * 1.01 })) })
run("M9 dies", { decode: (c, l) => Effect.orDie(base.decode(c, l)) })
run("M10 silent", { decode: (c, l) => Effect.map(base.decode(c, l), (s) => ({ ...s, samples: s.samples.fill(0) })) })
run("M11 trueheader", { encoder: (f) => Effect.map(base.encoder(f), (e) => ({ ...e, push: (x) => Effect.map(e.push(x), (b) => { if (b[0] === 82) b[4] = 1; return b }) })) })
void shared
