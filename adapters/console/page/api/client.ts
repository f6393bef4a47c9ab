import { A, B, pathPart, type Query, request, W } from "./request.js"
import type {
  Agent,
  AttemptDetail,
  AttemptItem,
  BlockedNumber,
  BlockedNumbersAddBody,
  BoardRecord,
  BoardsCreateBody,
  BoardsPreviewBody,
  BoardSummary,
  CampaignDetail,
  CampaignMetadata,
  CampaignsCreateBody,
  CampaignsRehearseBody,
  CampaignsUpdateBody,
  CampaignsUpdateStatusBody,
  Cohort,
  CohortPreview,
  ContactPage,
  DeliveryItem,
  DeliveryRecord,
  DeploymentDetail,
  DeploymentSummary,
  DeploymentsUpdateStatusBody,
  InteractionItem,
  LineDetail,
  ModelList,
  NotificationsCreateBody,
  NotificationsUpdateBody,
  Page,
  ProgressRecord,
  QuerySchema,
  RehearsalReport,
  Rule,
  RunResult,
  TabRunResult,
  Transcript,
  Voice,
  VoicesSpeakBody,
  WidgetRecord
} from "./types.js"

const campaign = (id: string) => `${W()}/campaigns/${pathPart(id)}`
const deployment = (id: string) => `${W()}/deployments/${pathPart(id)}`
const board = (id: string) => `${B()}/boards/${pathPart(id)}`

const formOf = (fields: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  return form
}

/** The interface as the pages use it. Methods have the names of `createTrunkline`'s. */
export const client = {
  campaigns: {
    list: (query: Query = {}) => request<Page<CampaignMetadata>>("GET campaigns.list", `${W()}/campaigns`, { query }),
    get: (id: string) => request<CampaignDetail>("GET campaigns.get", campaign(id)),
    create: (body: CampaignsCreateBody) =>
      request<{ readonly campaign_id: string }>("POST campaigns.create", `${W()}/campaigns`, { body }),
    update: (id: string, body: CampaignsUpdateBody) =>
      request<CampaignDetail>("PATCH campaigns.update", campaign(id), { body }),
    updateStatus: (id: string, action: CampaignsUpdateStatusBody["action"]) =>
      request<unknown>("PUT campaigns.updateStatus", `${campaign(id)}/status`, { body: { action } }),
    progress: (id: string) => request<ProgressRecord>("GET campaigns.progress", `${campaign(id)}/progress`),
    contacts: (id: string, query: Query) =>
      request<ContactPage>("GET campaigns.contacts", `${campaign(id)}/contacts`, { query }),
    rehearse: (id: string, body: CampaignsRehearseBody) =>
      request<RehearsalReport>("POST campaigns.rehearse", `${campaign(id)}/rehearse`, { body })
  },
  agents: { list: () => request<{ readonly items: ReadonlyArray<Agent> }>("GET agents.list", `${W()}/agents`) },
  cohorts: {
    preview: (body: { readonly csv: string; readonly cohort_transformation?: unknown }) =>
      request<CohortPreview>("POST cohorts.preview", `${W()}/cohorts/preview`, { body }),
    listOfCampaign: (id: string, query: Query = {}) =>
      request<Page<Cohort>>("GET campaigns.cohorts.list", `${campaign(id)}/cohorts`, { query }),
    getOfCampaign: (id: string, cohort: string) =>
      request<Cohort>("GET campaigns.cohorts.get", `${campaign(id)}/cohorts/${pathPart(cohort)}`),
    uploadToCampaign: (id: string, form: FormData) =>
      request<Cohort>("POST campaigns.cohorts.upload", `${campaign(id)}/cohorts/upload`, { body: form }),
    fileOfCampaign: (id: string, cohort: string, query: Query) =>
      request<Blob>("GET campaigns.cohorts.file", `${campaign(id)}/cohorts/${pathPart(cohort)}/files`, {
        query,
        as: "blob"
      })
  },
  deployments: {
    list: (query: Query = {}) =>
      request<Page<DeploymentSummary>>("GET deployments.list", `${W()}/deployments`, { query }),
    get: (id: string) => request<DeploymentDetail>("GET deployments.get", deployment(id)),
    updateStatus: (id: string, action: DeploymentsUpdateStatusBody["action"]) =>
      request<unknown>("PUT deployments.updateStatus", `${deployment(id)}/status`, { body: { action } })
  },
  lines: {
    list: () => request<{ readonly items: ReadonlyArray<LineDetail> }>("GET lines.list", `${W()}/lines`)
  },
  webhooks: {
    list: (id: string, query: Query = {}) =>
      request<{ readonly items: ReadonlyArray<DeliveryRecord> }>("GET webhooks.list", `${campaign(id)}/webhooks`, {
        query
      }),
    resend: (id: string, attempt_ids: ReadonlyArray<string>) =>
      request<unknown>("POST webhooks.resend", `${campaign(id)}/webhooks/retry`, { body: { attempt_ids } })
  },
  attempts: {
    get: (id: string) => request<AttemptDetail>("GET attempts.get", `${W()}/attempts/${pathPart(id)}`)
  },
  analytics: {
    attempts: (app: string, query: Query) =>
      request<Page<AttemptItem>>("GET analytics.attempts", `${A(app)}/attempts`, { query }),
    interactions: (app: string, query: Query) =>
      request<Page<InteractionItem>>("GET analytics.interactions", `${A(app)}/interactions`, { query }),
    transcript: (app: string, interaction: string) =>
      request<Transcript>("GET analytics.transcript", `${A(app)}/transcripts/${pathPart(interaction)}`),
    recording: (app: string, interaction: string) =>
      request<Blob>("GET analytics.recording", `${A(app)}/recordings/${pathPart(interaction)}`, { as: "blob" })
  },
  boards: {
    list: () => request<{ readonly items: ReadonlyArray<BoardSummary> }>("GET boards.list", `${B()}/boards`),
    get: (id: string) => request<BoardRecord>("GET boards.get", board(id)),
    runTab: (id: string, tab: string, body: unknown) =>
      request<TabRunResult>("POST boards.tabs.run", `${board(id)}/tabs/${pathPart(tab)}/run`, { body }),
    create: (body: BoardsCreateBody) => request<BoardRecord>("POST boards.create", `${B()}/boards`, { body }),
    schema: () => request<QuerySchema>("GET boards.schema", `${B()}/query-schema`),
    preview: (body: BoardsPreviewBody) => request<RunResult>("POST boards.preview", `${B()}/query-preview`, { body }),
    createWidget: (id: string, body: unknown) =>
      request<WidgetRecord>("POST boards.widgets.create", `${board(id)}/widgets`, { body }),
    removeWidget: (id: string, widget: string) =>
      request<unknown>("DELETE boards.widgets.remove", `${board(id)}/widgets/${pathPart(widget)}`),
    updateWidget: (id: string, widget: string, body: unknown) =>
      request<WidgetRecord>("PATCH boards.widgets.update", `${board(id)}/widgets/${pathPart(widget)}`, { body }),
    chartSvg: (id: string, widget: string, query: Query) =>
      request<string>("GET boards.widgets.chartSvg", `${board(id)}/widgets/${pathPart(widget)}/chart.svg`, {
        query,
        as: "text"
      })
  },
  notifications: {
    list: (id: string) =>
      request<{ readonly items: ReadonlyArray<Rule> }>("GET notifications.list", `${board(id)}/notifications`),
    create: (id: string, body: NotificationsCreateBody) =>
      request<Rule>("POST notifications.create", `${board(id)}/notifications`, { body }),
    update: (id: string, rule: string, body: NotificationsUpdateBody) =>
      request<Rule>("PATCH notifications.update", `${board(id)}/notifications/${pathPart(rule)}`, { body }),
    remove: (id: string, rule: string) =>
      request<unknown>("DELETE notifications.remove", `${board(id)}/notifications/${pathPart(rule)}`),
    deliveries: (id: string, rule: string) =>
      request<{ readonly items: ReadonlyArray<DeliveryItem> }>(
        "GET notifications.deliveries",
        `${board(id)}/notifications/${pathPart(rule)}/deliveries`
      )
  },
  blockedNumbers: {
    list: (query: Query) =>
      request<Page<BlockedNumber>>("GET blockedNumbers.list", `${W()}/blocked-numbers`, { query }),
    add: (body: BlockedNumbersAddBody) =>
      request<unknown>("POST blockedNumbers.add", `${W()}/blocked-numbers`, { body }),
    remove: (number: string) =>
      request<unknown>("DELETE blockedNumbers.remove", `${W()}/blocked-numbers/${pathPart(number)}`)
  },
  models: { list: () => request<ModelList>("GET models.list", "/v2/models") },
  voices: {
    list: () => request<Page<Voice>>("GET voices.list", "/voices"),
    create: (form: FormData) => request<unknown>("POST voices.create", "/voices/create", { body: form }),
    remove: (id: string) => request<unknown>("DELETE voices.remove", `/voices/${pathPart(id)}`),
    speak: (body: VoicesSpeakBody) =>
      request<Blob>("POST voices.speak", "/voices/clone/stream", { body: formOf(body), as: "blob" })
  },
  chat: {
    create: (body: unknown, signal: AbortSignal) =>
      request<Response>("POST chat.create", "/v2/chat/completions", { body, signal, as: "response" })
  },
  responses: {
    create: (body: unknown, signal: AbortSignal) =>
      request<Response>("POST responses.create", "/v2/responses", { body, signal, as: "response" })
  }
}
