import { Schema } from "effect"
import { type OperatorTool, operatorTool } from "./OperatorTool.js"

const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optionalWith(schema.annotations({ description }), { exact: true })

const Limit = Schema.Int.pipe(Schema.between(1, 50))

const CampaignId = Schema.NonEmptyString.annotations({ description: "Id of the campaign, from list_campaigns" })

const statuses = ["scheduled", "active", "paused", "ended", "cancelled"] as const

const listCampaigns = operatorTool({
  name: "list_campaigns",
  description: "Lists campaigns with their status and agent, 20 by default.",
  isReadOnly: true,
  input: Schema.Struct({
    search: optional(Schema.NonEmptyString, "Part of the name"),
    status: optional(Schema.Literal(...statuses), "Only campaigns of this status"),
    limit: optional(Limit, "Number of campaigns, up to 50"),
    offset: optional(Schema.NonNegativeInt, "Number of campaigns before the first")
  }),
  run: async (client, { limit = 20, status, ...query }) => {
    const page = await client.campaigns.list({
      ...query,
      limit,
      ...(status !== undefined && { campaign_status: status })
    })
    return page.items.map(({ app_id, campaign_id, created_at, name, status }) => ({
      campaign_id,
      name,
      status,
      agent: app_id,
      created_at
    }))
  }
})

const campaignProgress = operatorTool({
  name: "campaign_progress",
  description:
    "How far a campaign is: contacts by state, outcomes, its pace, what holds it now and until when, and its phone lines.",
  isReadOnly: true,
  input: Schema.Struct({ campaign_id: CampaignId }),
  run: (client, { campaign_id }) => client.campaigns.progress(campaign_id)
})

const whyNotCalled = operatorTool({
  name: "why_not_called",
  description:
    "Why persons of a campaign are not called now: for each its state, the decision with its reason, and when it may change.",
  isReadOnly: true,
  input: Schema.Struct({
    campaign_id: CampaignId,
    search: optional(Schema.NonEmptyString, "Part of the phone number or of the identifier of a person"),
    state: optional(Schema.Literal("waiting", "calling", "finished"), "Only persons in this state"),
    limit: optional(Limit, "Number of persons, up to 50; 10 by default")
  }),
  run: async (client, { campaign_id, limit = 10, ...query }) =>
    (await client.campaigns.contacts(campaign_id, { ...query, limit })).items
})

const Moment = Schema.String.pipe(Schema.filter((text) => !Number.isNaN(Date.parse(text)) || "Should be in ISO 8601"))

const listCalls = operatorTool({
  name: "list_calls",
  description: "Lists the ended calls of an agent in a time, the latest first, with their outcomes; 20 by default.",
  isReadOnly: true,
  input: Schema.Struct({
    agent: Schema.NonEmptyString.annotations({ description: "Id of the agent (app_id)" }),
    from: Moment.annotations({ description: "Beginning of the time in ISO 8601, such as 2026-01-31T00:00:00Z" }),
    to: Moment.annotations({ description: "End of the time in ISO 8601" }),
    campaign_id: optional(Schema.NonEmptyString, "Only calls of this campaign"),
    connectivity_status: optional(
      Schema.Literal("connected", "busy", "no_answer", "failed"),
      "Only calls with this status"
    ),
    limit: optional(Limit, "Number of calls, up to 50"),
    offset: optional(Schema.NonNegativeInt, "Number of calls before the first")
  }),
  run: async (client, { agent, campaign_id, connectivity_status, from, limit = 20, offset = 0, to }) => {
    const conditions = Object.entries({ campaign_id, connectivity_status }).flatMap(([field, value]) =>
      value === undefined ? [] : [{ id: field, field, operator: "equals", value }]
    )
    const { items, total } = await client.analytics.attempts(agent, {
      start_datetime: from,
      end_datetime: to,
      limit,
      offset,
      sort_order: "desc",
      ...(conditions.length > 0 && { filter_conditions: JSON.stringify(conditions) })
    })
    return { total, calls: items }
  }
})

const getCall = operatorTool({
  name: "get_call",
  description:
    "The record of one ended call: outcome, variables, and the transcript with what tools were asked and answered.",
  isReadOnly: true,
  input: Schema.Struct({ attempt_id: Schema.NonEmptyString.annotations({ description: "Id of the call attempt" }) }),
  run: (client, { attempt_id }) => client.attempts.get(attempt_id)
})

const querySchema = operatorTool({
  name: "query_schema",
  description: "The table and columns that query reads.",
  isReadOnly: true,
  input: Schema.Struct({}),
  run: (client) => client.boards.schema()
})

const query = operatorTool({
  name: "query",
  description: "Runs one SELECT over the calls of the workspace, as boards do. See query_schema first.",
  isReadOnly: true,
  input: Schema.Struct({
    sql: Schema.NonEmptyString.annotations({ description: "One SELECT statement in SQLite's SQL" }),
    rows: optional(Schema.Int.pipe(Schema.between(1, 200)), "Number of rows, up to 200; 50 by default")
  }),
  run: (client, { rows = 50, sql }) => client.boards.preview({ sql, row_limit: rows })
})

const setStatus = (action: "pause" | "resume", description: string) =>
  operatorTool({
    name: `${action}_campaign`,
    description,
    isReadOnly: false,
    input: Schema.Struct({ campaign_id: CampaignId }),
    run: async (client, { campaign_id }) => {
      const { name, status } = await client.campaigns.updateStatus(campaign_id, { action })
      return { campaign_id, name, status }
    }
  })

/** Tools with which an assistant operates a server. */
export const operatorTools: ReadonlyArray<OperatorTool> = [
  listCampaigns,
  campaignProgress,
  whyNotCalled,
  listCalls,
  getCall,
  querySchema,
  query,
  setStatus("pause", "Pauses a campaign: nobody new is called, and calls that go on are held to their end."),
  setStatus("resume", "Resumes a paused campaign, which calls people again.")
]
