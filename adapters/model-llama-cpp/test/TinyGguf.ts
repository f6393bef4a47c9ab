import { writeFileSync } from "node:fs"

/** The kinds of values in the header of a GGUF file that are needed here (GGUF specification, version 3). */
const kinds = { uint32: 4, int32: 5, float32: 6, text: 8, list: 9 } as const

/** The kinds of tokens (llama.cpp). */
const tokenKinds = { normal: 1, unknown: 2, control: 3, byte: 6 } as const

const layers = 2
const width = 64
const heads = 4
const inner = 2 * width
const alignment = 32

/** The pieces of words that its vocabulary has; everything else is spelt in bytes. */
const pieces = [
  "▁",
  "t",
  "h",
  "e",
  "a",
  "n",
  "d",
  "i",
  "o",
  "s",
  "r",
  "th",
  "he",
  "the",
  "▁the",
  "an",
  "and",
  "in",
  "on"
]
const controls = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"]

interface Token {
  readonly text: string
  readonly kind: number
  readonly score: number
}

const vocabulary: ReadonlyArray<Token> = [
  { text: "<unk>", kind: tokenKinds.unknown, score: 0 },
  { text: "<s>", kind: tokenKinds.control, score: 0 },
  { text: "</s>", kind: tokenKinds.control, score: 0 },
  ...Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
    kind: tokenKinds.byte,
    score: 0
  })),
  ...controls.map((text) => ({ text, kind: tokenKinds.control, score: 0 })),
  ...pieces.map((text, index) => ({ text, kind: tokenKinds.normal, score: text.length - index / 100 }))
]

/** Numbers that are evenly spread between -1 and 1, always the same for a seed (mulberry32). */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const uint64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const float32 = (value: number) => Buffer.from(Float32Array.of(value).buffer)

const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)])

const list = (kind: number, values: ReadonlyArray<Buffer>) =>
  Buffer.concat([uint32(kind), uint64(values.length), ...values])

const entry = (key: string, kind: number, value: Buffer) => Buffer.concat([text(key), uint32(kind), value])

const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((alignment - bytes.length % alignment) % alignment)])

const tensors: ReadonlyArray<readonly [name: string, ...shape: ReadonlyArray<number>]> = [
  ["token_embd.weight", width, vocabulary.length],
  ["output_norm.weight", width],
  ["output.weight", width, vocabulary.length],
  ...Array.from({ length: layers }, (_, layer) =>
    [
      [`blk.${layer}.attn_norm.weight`, width],
      [`blk.${layer}.attn_q.weight`, width, width],
      [`blk.${layer}.attn_k.weight`, width, width],
      [`blk.${layer}.attn_v.weight`, width, width],
      [`blk.${layer}.attn_output.weight`, width, width],
      [`blk.${layer}.ffn_norm.weight`, width],
      [`blk.${layer}.ffn_gate.weight`, width, inner],
      [`blk.${layer}.ffn_up.weight`, width, inner],
      [`blk.${layer}.ffn_down.weight`, inner, width]
    ] as const).flat()
]

/** Marks and bytes that are no printable ASCII: never written of the model's own accord. */
const isUnwritten = (index: number): boolean => {
  const kind = vocabulary[index]?.kind
  const byte = index - 3
  return kind === tokenKinds.byte ? byte < 0x20 || byte > 0x7e : kind !== tokenKinds.normal
}

/** A weight at a place of a tensor; the first of the model's dimensions is the same for every token, and tells them apart. */
const weightAt = (name: string, place: number, random: number): number => {
  const isFirst = place % width === 0
  if (name.endsWith("norm.weight")) return 1
  if (name === "token_embd.weight" && isFirst) return 2
  if (name === "output.weight" && isFirst) return isUnwritten(place / width) ? -10 : 0
  if (name.endsWith("attn_output.weight") && place < width) return 0
  if (name.endsWith("ffn_down.weight") && place < inner) return 0
  return random * 1.5 * (3 / width) ** 0.5
}

/**
 * Writes a model of the llama architecture with random weights: 2 layers, 64 wide, F32, some 480 kB. It knows a few
 * pieces of words and spells the rest in bytes. What it says means nothing, is printable, never ends by itself, and is
 * always the same for a seed.
 */
export const writeTinyGguf = (
  path: string,
  { contextLength = 4_096, seed = 1, template }: {
    readonly contextLength?: number
    readonly seed?: number
    /** The chat template, in Jinja; without one the model has none. */
    readonly template?: string
  } = {}
): void => {
  const entries = [
    entry("general.architecture", kinds.text, text("llama")),
    entry("general.name", kinds.text, text("tiny")),
    entry("llama.context_length", kinds.uint32, uint32(contextLength)),
    entry("llama.embedding_length", kinds.uint32, uint32(width)),
    entry("llama.block_count", kinds.uint32, uint32(layers)),
    entry("llama.feed_forward_length", kinds.uint32, uint32(inner)),
    entry("llama.attention.head_count", kinds.uint32, uint32(heads)),
    entry("llama.attention.head_count_kv", kinds.uint32, uint32(heads)),
    entry("llama.rope.dimension_count", kinds.uint32, uint32(width / heads)),
    entry("llama.attention.layer_norm_rms_epsilon", kinds.float32, float32(1e-5)),
    entry("llama.vocab_size", kinds.uint32, uint32(vocabulary.length)),
    entry("tokenizer.ggml.model", kinds.text, text("llama")),
    entry("tokenizer.ggml.tokens", kinds.list, list(kinds.text, vocabulary.map((token) => text(token.text)))),
    entry("tokenizer.ggml.scores", kinds.list, list(kinds.float32, vocabulary.map(({ score }) => float32(score)))),
    entry("tokenizer.ggml.token_type", kinds.list, list(kinds.int32, vocabulary.map(({ kind }) => uint32(kind)))),
    entry("tokenizer.ggml.bos_token_id", kinds.uint32, uint32(1)),
    entry("tokenizer.ggml.eos_token_id", kinds.uint32, uint32(2)),
    entry("tokenizer.ggml.unknown_token_id", kinds.uint32, uint32(0)),
    ...(template === undefined ? [] : [entry("tokenizer.chat_template", kinds.text, text(template))])
  ]
  const next = numbers(seed)
  const weights = tensors.map(([name, ...shape]) => {
    const size = shape.reduce((size, side) => size * side, 1)
    const values = Float32Array.from({ length: size }, (_, place) => weightAt(name, place, next()))
    return padded(Buffer.from(values.buffer))
  })
  let offset = 0
  const infos = tensors.map(([name, ...shape], index) => {
    const info = Buffer.concat([text(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(offset)])
    offset += weights[index]?.length ?? 0
    return info
  })
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries,
    ...infos
  ])
  writeFileSync(path, Buffer.concat([padded(head), ...weights]))
}
