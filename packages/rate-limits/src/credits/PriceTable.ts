/** What is counted and paid for. */
export type Unit = "character" | "input_token" | "output_token" | "second" | "page" | "request"

/** How much of each unit something used, or may use at the most. Whole numbers from 0; an absent unit is 0. */
export type Units = { readonly [U in Unit]?: number }

/** What one unit costs, in whole micro-credits; an absent unit is free. */
export type Price = { readonly [U in Unit]?: number }

/** The price of every family that is paid for, such as `voice_cloning`; a family that is not in it is free. */
export type PriceTable = Readonly<Record<string, Price>>
