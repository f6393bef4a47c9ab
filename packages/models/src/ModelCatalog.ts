import { Context } from "effect"

/** Reasoning effort of a model. */
export type Effort = "low" | "medium" | "high" | "max"

/** All efforts, lowest first. */
export const efforts = ["low", "medium", "high", "max"] as const satisfies ReadonlyArray<Effort>

/** API route that serves a model. */
export type ModelRoute = "chat_v1" | "chat_v2" | "responses"

/** Thinking of a model before it answers. */
export interface Thinking {
  /** `always`: it cannot be disabled; `usually`: unless disabled; `never`: not supported. */
  readonly when: "always" | "usually" | "never"
  /** Efforts accepted by chat; others are rejected. */
  readonly onChat: ReadonlyArray<Effort>
  /** Efforts accepted by responses; if there are none, `reasoning` is rejected. */
  readonly onResponses: ReadonlyArray<Effort>
}

/** Properties of a public model. */
export interface ModelFacts {
  readonly routes: ReadonlyArray<ModelRoute>
  /** Context size for input and output, in tokens; null if unknown, and then nothing is checked. */
  readonly contextTokens: number | null
  /** Tier of its limits and prices. */
  readonly tier: "core" | "default"
  readonly thinking: Thinking
  /** True if it supports images. */
  readonly images: boolean
  /** Input tokens per image. */
  readonly imageTokens: number
  /** True if it supports logprobs. */
  readonly logprobs: boolean
  readonly defaults: { readonly temperature: number; readonly topP: number }
  /** Unix seconds, for the list of models. */
  readonly created: number
  readonly ownedBy: string
}

/** The public model ids, case-sensitive. */
export const modelIds = ["core-105b", "core-105b-conversations", "model-g", "model-v", "model-d"] as const
/** A public model id. */
export type ModelId = (typeof modelIds)[number]

/** The model for live calls: short context, quick to answer. */
export const conversationModel: ModelId = "core-105b-conversations"

/** 2026-01-01T00:00:00Z in Unix seconds. */
const firstDay = 1_767_225_600

/** Default tokens per image: 1024 by 1024 pixels in tiles of 28 by 28, rounded down. */
const usualImageTokens = 1_300

const core = {
  tier: "core",
  thinking: { when: "usually", onChat: efforts, onResponses: [] },
  images: false,
  imageTokens: usualImageTokens,
  logprobs: true,
  defaults: { temperature: 0.2, topP: 1 },
  created: firstDay,
  ownedBy: "trunkline"
} as const

const open = { ...core, tier: "default", routes: ["chat_v2", "responses"] } as const

/**
 * The public models. 128K is 131,072 and 32K is 32,768 tokens, and `medium` is accepted wherever chat accepts an
 * effort. The figures for images and dates are our own.
 */
export const publicModels: Readonly<Record<ModelId, ModelFacts>> = {
  "core-105b": { ...core, routes: ["chat_v1", "chat_v2", "responses"], contextTokens: 131_072 },
  "core-105b-conversations": { ...core, routes: ["chat_v1"], contextTokens: 32_768 },
  "model-g": {
    ...open,
    contextTokens: 1_048_576,
    thinking: { when: "always", onChat: ["low", "medium", "high"], onResponses: ["low", "high"] },
    logprobs: false,
    defaults: { temperature: 1, topP: 0.95 }
  },
  "model-v": {
    ...open,
    contextTokens: null,
    thinking: { when: "never", onChat: [], onResponses: [] },
    images: true
  },
  "model-d": {
    ...open,
    contextTokens: null,
    thinking: { when: "usually", onChat: efforts, onResponses: ["low", "high", "max"] }
  }
}

/** The models that can be requested, by public id: `publicModels` unless a layer replaces them. */
export class ModelCatalog extends Context.Reference<ModelCatalog>()("@trunkline/models/ModelCatalog", {
  defaultValue: (): Readonly<Record<string, ModelFacts>> => publicModels
}) {}

/** Looks up a model; undefined for an unknown id. */
export const findModel = (catalog: Readonly<Record<string, ModelFacts>>, id: string): ModelFacts | undefined =>
  Object.hasOwn(catalog, id) ? catalog[id] : undefined
