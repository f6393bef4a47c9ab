import { Context } from "effect"

/** How hard a model is asked to think. */
export type Effort = "low" | "medium" | "high" | "max"

/** Every effort, least first. */
export const efforts = ["low", "medium", "high", "max"] as const satisfies ReadonlyArray<Effort>

/** Where a model can be asked for. */
export type ModelRoute = "chat_v1" | "chat_v2" | "responses"

/** How a model thinks before it answers. */
export interface Thinking {
  /** `always`: it cannot be kept from it; `usually`: unless told not to; `never`: it cannot. */
  readonly when: "always" | "usually" | "never"
  /** The efforts that chat takes; asking for another one is refused. */
  readonly onChat: ReadonlyArray<Effort>
  /** The efforts that responses takes; where there are none, `reasoning` is refused. */
  readonly onResponses: ReadonlyArray<Effort>
}

/** What is known of a model by its public id. */
export interface ModelFacts {
  readonly routes: ReadonlyArray<ModelRoute>
  /** Tokens that input and output may take up together; null where no figure is promised, and then nothing is checked. */
  readonly contextTokens: number | null
  /** Which limits and prices hold for it. */
  readonly tier: "core" | "default"
  readonly thinking: Thinking
  /** Whether it sees images. */
  readonly images: boolean
  /** What an image counts as in its input, in tokens. */
  readonly imageTokens: number
  /** Whether it tells the likelihood of its tokens. */
  readonly logprobs: boolean
  readonly defaults: { readonly temperature: number; readonly topP: number }
  /** For the list of models: Unix seconds, and who answers for it. */
  readonly created: number
  readonly ownedBy: string
}

/** The public model ids, case-sensitive (specification, first paragraph). */
export const modelIds = ["core-105b", "core-105b-conversations", "model-g", "model-v", "model-d"] as const
export type ModelId = (typeof modelIds)[number]

/** The model for live calls: short context, quick to answer. */
export const conversationModel: ModelId = "core-105b-conversations"

/** 2026-01-01T00:00:00Z in Unix seconds. */
const firstDay = 1_767_225_600

/** What an image counts as where nobody knows better: one of 1024 by 1024 in tiles of 28 pixels square, rounded down. */
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
 * The public models (specification: Chat completions, Responses and Limits; shapes 9.1). 128K is 131,072 and 32K is
 * 32,768 tokens (decisions 6). That `medium` is taken wherever chat takes an effort is decisions 6 as well; the figures
 * for images and dates are ours.
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

/** The models that can be asked for, by their public ids: those of the specification, unless a layer says otherwise. */
export class ModelCatalog extends Context.Reference<ModelCatalog>()("@trunkline/models/ModelCatalog", {
  defaultValue: (): Readonly<Record<string, ModelFacts>> => publicModels
}) {}

/** What a catalog knows of a model; undefined of an unknown id. */
export const factsOf = (catalog: Readonly<Record<string, ModelFacts>>, id: string): ModelFacts | undefined =>
  Object.hasOwn(catalog, id) ? catalog[id] : undefined
