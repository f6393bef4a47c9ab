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
