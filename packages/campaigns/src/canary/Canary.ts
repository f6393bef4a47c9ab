import { CanaryEnd, CanaryEndReason, Timestamp } from "@trunkline/kernel"
import { type DateTime, Schema } from "effect"
import { type ArmCounts, type CanaryFigures, logEvidence, shareInterval, shareOf } from "./Evidence.js"

const ComparedValue = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)

/** Aim by an output variable that the agent collects during the call. */
const VariableMetric = Schema.Struct({
  /** Name of the output variable. */
  variable: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(128)),
  /** Values that count, compared as they are: `5` and `"5"` differ. By default any value but null and empty text. */
  values: Schema.optionalWith(Schema.Array(ComparedValue).pipe(Schema.minItems(1), Schema.maxItems(50)), {
    exact: true
  }),
  /** `more`, the default, when conversations with these values are the aim; `less` when they are to be avoided. */
  better: Schema.optionalWith(Schema.Literal("more", "less"), { default: () => "more" as const })
})

/**
 * Aim of a conversation, whose share the arms of a canary are compared by. `completed`: the agent was done.
 * `not_refused`: the contact did not refuse further calls.
 */
export const CanaryMetric = Schema.Union(Schema.Literal("completed", "not_refused"), VariableMetric)
export type CanaryMetric = typeof CanaryMetric.Type

const Version = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))
const Percent = Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(99))
const Alpha = Schema.Number.pipe(Schema.greaterThanOrEqualTo(0.0001), Schema.lessThanOrEqualTo(0.2))
const Share = Schema.Number.pipe(Schema.between(0, 1))
const MinConversations = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(1_000_000))

/** Settings of a canary: a version that takes a part of a campaign's contacts and stops itself when its outcomes are worse. */
export const CanarySettings = Schema.Struct({
  /** Version of the campaign's agent to try; committed, and other than the campaign's. */
  app_version: Version,
  /** Percentage of the contacts whom it calls, above 0 and at most 99; 10 by default, which limits the harm of a fault. */
  percent: Schema.optionalWith(Percent, { default: () => 10 }),
  /** Aim whose share is compared; `completed` by default. */
  metric: Schema.optionalWith(CanaryMetric, { default: () => "completed" as const }),
  /**
   * Highest probability, 0.0001 to 0.2, that the canary stops although it is not worse; 0.01 by default, since a false alarm costs
   * a release.
   */
  alpha: Schema.optionalWith(Alpha, { default: () => 0.01 }),
  /**
   * Lead of the control's share, 0 to 1, below which the canary goes on even when it is certain; 0.02 by default, since in a long
   * campaign the smallest difference becomes certain.
   */
  smallest_difference: Schema.optionalWith(Share, { default: () => 0.02 }),
  /**
   * Conversations of each arm before which the canary goes on; 30 by default, since the calls that end first are the short ones,
   * which fail more often.
   */
  min_conversations: Schema.optionalWith(MinConversations, { default: () => 30 })
})
export type CanarySettings = typeof CanarySettings.Type

const ArmFigures = Schema.Struct({
  /** Conversations that count: the first one of each contact in the arm that was not answered by a machine. */
  conversations: Schema.NonNegativeInt,
  /** Those that reached the aim. */
  successes: Schema.NonNegativeInt
})

/** State of a canary. All but `running` are final; `ended` is that of a canary whose campaign was over before its trial. */
export const CanaryStatus = Schema.Literal("running", ...CanaryEnd.literals)
export type CanaryStatus = typeof CanaryStatus.Type

/** The canary of a campaign, as it is stored with it. */
export const Canary = Schema.Struct({
  /** Canaries of the campaign so far, with this one. */
  number: Schema.Int,
  app_version: Version,
  percent: Percent,
  metric: CanaryMetric,
  alpha: Alpha,
  smallest_difference: Share,
  min_conversations: MinConversations,
  status: CanaryStatus,
  /** Version that it was compared with. */
  control_version: Schema.Int,
  started_at: Timestamp,
  started_by: Schema.String,
  /** Null while it runs, as the next three. */
  ended_at: Schema.NullOr(Timestamp),
  /** The label of an API key; null of a canary that stopped itself, or whose campaign ended by itself. */
  ended_by: Schema.NullOr(Schema.String),
  /** `worse`: stopped by its outcomes. `request`: stopped or promoted by a request. `campaign`: its campaign is over. */
  end_reason: Schema.NullOr(CanaryEndReason),
  /** Counts of both arms at the end. */
  end_figures: Schema.NullOr(Schema.Struct({ control: ArmFigures, canary: ArmFigures }))
})
export type Canary = typeof Canary.Type

/** Request body that stops or promotes a running canary. */
export const CanaryAction = Schema.Struct({
  /** `stop` calls all further contacts with the campaign's version, `promote` with the canary's. */
  action: Schema.Literal("stop", "promote")
})
export type CanaryAction = typeof CanaryAction.Type["action"]

/** A canary that starts now. */
export const startedCanary = (
  { alpha, app_version, metric, min_conversations, percent, smallest_difference }: CanarySettings,
  { actor, at, before, control_version }: {
    readonly control_version: number
    readonly at: DateTime.Utc
    readonly actor: string
    /** The canary before; null without one. */
    readonly before: Canary | null
  }
): Canary => ({
  number: (before?.number ?? 0) + 1,
  app_version,
  percent,
  metric,
  alpha,
  smallest_difference,
  min_conversations,
  status: "running",
  control_version,
  started_at: at,
  started_by: actor,
  ended_at: null,
  ended_by: null,
  end_reason: null,
  end_figures: null
})

const ArmRecord = Schema.Struct({
  app_version: Schema.Int,
  ...ArmFigures.fields,
  /** Share of successes, 0 to 1; null without conversations. */
  share: Schema.NullOr(Share),
  /** Bounds of the true share, which hold at all looks together with a probability of 95 %. */
  low: Share,
  high: Share
})

/** Both arms of a canary as they are now, in the progress of its campaign. */
export const CanaryRecord = Schema.Struct({
  number: Schema.Int,
  status: CanaryStatus,
  percent: Schema.Number,
  metric: CanaryMetric,
  control: ArmRecord,
  canary: ArmRecord,
  /** Evidence that the canary is worse; it stops at `stops_at`, once the difference and the conversations suffice. */
  evidence: Schema.NonNegative,
  /** `1 / alpha`. */
  stops_at: Schema.Positive,
  end_reason: Canary.fields.end_reason,
  ended_at: Schema.NullOr(Timestamp)
})
export type CanaryRecord = typeof CanaryRecord.Type

/** Probability with which the interval of an arm misses its true share at any look. */
const intervalAlpha = 0.05

/** Evidence above which the number says nothing more. */
const maxEvidence = 1e12

const armRecord = (app_version: number, arm: ArmCounts): typeof ArmRecord.Type => ({
  app_version,
  ...arm,
  share: arm.conversations === 0 ? null : shareOf(arm),
  ...shareInterval(arm, intervalAlpha)
})

/** The record of a canary with its present counts. */
export const canaryRecord = (canary: Canary, figures: CanaryFigures): CanaryRecord => ({
  number: canary.number,
  status: canary.status,
  percent: canary.percent,
  metric: canary.metric,
  control: armRecord(canary.control_version, figures.control),
  canary: armRecord(canary.app_version, figures.canary),
  evidence: Math.min(maxEvidence, Math.exp(logEvidence(figures))),
  stops_at: 1 / canary.alpha,
  end_reason: canary.end_reason,
  ended_at: canary.ended_at
})
