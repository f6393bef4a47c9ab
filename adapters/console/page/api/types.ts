import type { Resources } from "@trunkline/client"

export type { AttemptDetail, LiveEvent } from "@trunkline/client"

/** Answer of a method of the client. */
type Answer<Resource extends keyof Resources, Method extends keyof Resources[Resource]> =
  Resources[Resource][Method] extends (...args: ReadonlyArray<never>) => Promise<infer Result> ? Result : never

/** Item of a list that a method answers with. */
type Item<Resource extends keyof Resources, Method extends keyof Resources[Resource]> = Answer<Resource, Method> extends
  { readonly items: ReadonlyArray<infer Each> } ? Each : never

export type Agent = Answer<"agents", "get">
export type AgentVersion = Agent["versions"][number]
export type AttemptItem = Item<"analytics", "attempts">
export type BoardRecord = Answer<"boards", "get">
export type WidgetRecord = BoardRecord["tabs"][number]["widgets"][number]
export type Filter = BoardRecord["filters"][number]
export type QuerySchema = Answer<"boards", "schema">
export type RunResult = Answer<"boards", "preview">
export type TabRunResult = Answer<"boards", "runTab">
export type Rule = Item<"notifications", "list">
export type CampaignDetail = Answer<"campaigns", "get">
export type CampaignMetadata = Item<"campaigns", "list">
export type CampaignsCreateBody = Parameters<Resources["campaigns"]["create"]>[0]
export type AllowedSchedule = CampaignsCreateBody["allowed_schedule"]
export type ProgressRecord = Answer<"campaigns", "progress">
export type ContactRecord = Item<"campaigns", "contacts">
export type RehearsalReport = Answer<"campaigns", "rehearse">
export type Cohort = Answer<"cohorts", "getOfCampaign">
export type CohortPreview = Answer<"cohorts", "preview">
export type DeploymentSummary = Item<"deployments", "list">
export type KnowledgeDocument = Item<"knowledge", "list">
export type FoundPassage = Item<"knowledge", "search">
export type LineDetail = Item<"lines", "list">
export type BlockedNumber = Item<"blockedNumbers", "list">
export type Delivery = Item<"notifications", "deliveries">
export type WebhookItem = Item<"webhooks", "list">
export type Voice = Item<"voices", "list">

/** Query of a method that lists with nothing before it. */
export type CampaignsListQuery = NonNullable<Parameters<Resources["campaigns"]["list"]>[0]>
export type ContactsQuery = NonNullable<Parameters<Resources["campaigns"]["contacts"]>[1]>
export type AttemptsQuery = Parameters<Resources["analytics"]["attempts"]>[1]
type TabsRunBody = NonNullable<Parameters<Resources["boards"]["runTab"]>[2]>
export type FilterValues = NonNullable<TabsRunBody["filter_values"]>
export type CohortsUploadBody = Parameters<Resources["cohorts"]["uploadToCampaign"]>[1]
export type ModelName = Parameters<Resources["chat"]["create"]>[0]["model"]
export type AccountDetail = Answer<"account", "get">
export type TalkAnswer = Answer<"agents", "talk">
