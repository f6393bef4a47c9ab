import {
  CostCurrency,
  findPrice,
  type Increments,
  type PricedService,
  type PricedUnit,
  type ProviderPrice,
  ProviderPrices,
  type ProviderPriceTable
} from "@trunkline/kernel"
import { modelPrices } from "@trunkline/model-openai"
import { Layer, Schema } from "effect"
import { pricesOfTranscribers } from "./NamedTranscriber.js"
import { pricesOfVoices } from "./NamedVoice.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Code of a currency, by ISO 4217. */
export const CurrencyCode = Schema.String.pipe(
  Schema.pattern(/^[A-Z]{3}$/, { message: () => "Must be a currency code of three capital letters, such as USD" })
)

/** Worth of one unit of some currencies in the reporting one. */
export const ExchangeRates = Schema.Record({
  key: CurrencyCode,
  value: Schema.Number.pipe(Schema.positive(), Schema.finite())
})

/** Most that a price can be, and most and fewest units that it can be for: their sums stay numbers. */
const maxAmount = 1_000_000
const maxUnits = 1_000_000_000
const minUnits = 0.001

const Amount = Schema.Number.pipe(Schema.between(0, maxAmount))

/** A price of the host, such as that of its own contract, in place of the public one. */
export const OwnPrice = Schema.Struct({
  service: Schema.Literal("voice", "transcriber", "model", "carrier"),
  /** Name of the provider, such as `elevenlabs`; of a carrier, the `provider` of its line. */
  provider: Schema.NonEmptyString,
  /** Name of the model; all of the provider's unless said. */
  model: Schema.optionalWith(Schema.NonEmptyString, { exact: true, default: () => "*" }),
  unit: Schema.Literal(
    "character",
    "minute",
    "input_token",
    "cached_input_token",
    "output_token",
    "audio_input_token",
    "audio_output_token"
  ),
  /** US dollars for `per` units; null when unknown. */
  usd: optional(Schema.NullOr(Amount)),
  /** Amount of `currency` for `per` units, in place of `usd`; null when unknown. */
  amount: optional(Schema.NullOr(Amount)),
  currency: optional(CurrencyCode),
  per: Schema.optionalWith(Schema.Number.pipe(Schema.between(minUnits, maxUnits)), { exact: true, default: () => 1 }),
  /** Line that the price is of; all lines of the provider unless said. */
  connection_id: optional(Schema.NonEmptyString),
  /** Beginning of the numbers that are called, such as `+91`; all numbers unless said. */
  prefix: optional(Schema.String.pipe(Schema.pattern(/^\+[0-9]{1,15}$/, {
    message: () => "Must begin with a plus sign and a digit, such as +91"
  }))),
  /** Billing increments in seconds, such as `60/60`, which is the default, or `6/6`. */
  increments: optional(Schema.String.pipe(Schema.pattern(/^[1-9][0-9]{0,3}\/[1-9][0-9]{0,3}$/, {
    message: () => "Must be two numbers of seconds, such as 60/60 or 30/6"
  }))),
  /** Charge for each answered call beside its minutes; none unless said. */
  setup: optional(Amount)
})
export type OwnPrice = typeof OwnPrice.Type

/** The fault of a price of the host; undefined for a sound one. */
export const priceProblem = (
  price: Pick<OwnPrice, "amount" | "connection_id" | "currency" | "increments" | "prefix" | "service" | "setup" | "usd">
): string | undefined => {
  const { amount, connection_id, currency, increments, prefix, service, setup, usd } = price
  if ((usd === undefined) === (amount === undefined)) return "needs either usd or amount, which may be null"
  if ((amount === undefined) !== (currency === undefined)) return "needs currency with amount, and only with it"
  const isCarriers = [connection_id, increments, prefix, setup].some((field) => field !== undefined)
  return isCarriers && service !== "carrier"
    ? "connection_id, prefix, increments and setup are for the service carrier only"
    : undefined
}

const incrementsOf = (text: string): Increments => {
  const [first = 60, next = 60] = text.split("/").map(Number)
  return { first, next }
}

/** A price of the host as an entry of the table. */
const entryOf = ({ amount, currency = "USD", increments, usd = null, ...price }: OwnPrice): ProviderPrice => ({
  ...price,
  amount: amount === undefined ? usd : amount,
  currency,
  ...(increments !== undefined && { increments: incrementsOf(increments) }),
  readOn: null,
  page: null
})

const free = (service: PricedService, provider: string, unit: PricedUnit): ProviderPrice => ({
  service,
  provider,
  model: "*",
  unit,
  amount: 0,
  currency: "USD",
  per: 1,
  readOn: null,
  page: null
})

/** Parts that run on this machine, and calls from browsers: nobody charges for them. */
const freeParts: ProviderPriceTable = [
  free("carrier", "simulator", "minute"),
  free("carrier", "browser", "minute"),
  free("voice", "espeak", "character"),
  ...(["input_token", "cached_input_token", "output_token"] as const).map((unit) => free("model", "scripted", unit))
]

/** The public prices of voices, transcribers and models, and after them those of the host, which count. */
export const priceTable = (ownPrices: ReadonlyArray<OwnPrice> = []): ProviderPriceTable => [
  ...freeParts,
  ...modelPrices,
  ...pricesOfVoices,
  ...pricesOfTranscribers,
  ...ownPrices.map(entryOf)
]

/** Sources of costs: prices, the reporting currency, and exchange rates. */
export const costLayers = (options: {
  readonly prices: ReadonlyArray<OwnPrice>
  readonly currency: string
  readonly rates: Readonly<Record<string, number>>
}) => {
  const { currency, prices, rates } = options
  return Layer.merge(
    Layer.succeed(ProviderPrices, priceTable(prices)),
    Layer.succeed(CostCurrency, { currency, rates })
  )
}

const unitNames: Readonly<Record<PricedUnit, string>> = {
  character: "characters",
  minute: "minutes",
  input_token: "input tokens",
  cached_input_token: "cached input tokens",
  output_token: "output tokens",
  audio_input_token: "input tokens of sound",
  audio_output_token: "output tokens of sound"
}

const priceText = ({ amount, currency, per, readOn, unit }: ProviderPrice): string => {
  if (amount === null) return "price unknown"
  if (amount === 0) return "no charge"
  const units = per === 1
    ? `a ${unitNames[unit].replace(/s$/, "")}`
    : `for ${per.toLocaleString("en")} ${unitNames[unit]}`
  return `${currency} ${amount} ${units}${readOn === null ? "" : ` (read on ${readOn})`}`
}

const units = [
  "character",
  "minute",
  "input_token",
  "cached_input_token",
  "output_token",
  "audio_input_token",
  "audio_output_token"
] as const satisfies ReadonlyArray<PricedUnit>

/** The prices of a model in a sentence, for the operator. */
export const priceLine = (
  table: ProviderPriceTable,
  key: { readonly service: PricedService; readonly provider: string; readonly model: string }
): string => {
  const prices = units.flatMap((unit) => findPrice(table, { ...key, unit }) ?? [])
  return prices.length === 0 ? "price unknown" : prices.map(priceText).join(", ")
}
