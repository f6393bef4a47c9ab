/** What is known of a model by its public id. */
export interface ModelFacts {
  /** Tokens that input and output may take up together; null where no figure is promised. */
  readonly contextTokens: number | null
}

/** The public model ids, case-sensitive (specification, first paragraph). */
export const modelIds = ["core-105b", "core-105b-conversations", "model-g", "model-v", "model-d"] as const
export type ModelId = (typeof modelIds)[number]

/** The public models. 128K is 131,072 and 32K is 32,768 tokens (decisions 6). */
export const models: Readonly<Record<ModelId, ModelFacts>> = {
  "core-105b": { contextTokens: 131_072 },
  "core-105b-conversations": { contextTokens: 32_768 },
  "model-g": { contextTokens: 1_048_576 },
  "model-v": { contextTokens: null },
  "model-d": { contextTokens: null }
}

/** The model for live calls: short context, quick to answer. */
export const conversationModel: ModelId = "core-105b-conversations"
