import type { ServerProcess } from "./ServerProcess.js"

export const campaignsPath = "/v1/orgs/acme/workspaces/main/campaigns"

/** Fields of an attempt that the tests read. */
export interface AttemptItem {
  readonly attempt_id: string
  readonly user_identifier: string
  readonly retry_attempt: number
  readonly next_action_status: string | null
  readonly connectivity_status: string | null
  readonly failure_reason: string | null
  readonly attempted_at: string
}

/** The JSON of a good answer. */
export const json = async <A>(response: Response): Promise<A> => {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  const answer: A = JSON.parse(text)
  return answer
}

interface Campaign {
  readonly campaign_id: string
  readonly status: string
}

/** The server's business time. */
export const timeOf = async (server: ServerProcess): Promise<string> =>
  (await json<{ readonly time: string }>(await server.request("/health"))).time

/** Where a campaign is in its life. */
export const statusOf = async (server: ServerProcess, campaign: string): Promise<string> =>
  (await json<Campaign>(await server.request(`${campaignsPath}/${campaign}`))).status

/** Creates a campaign that starts at once, or in so many days of business time, and dials around the clock; its id. */
export const createCampaign = async (
  server: ServerProcess,
  config: Readonly<Record<string, unknown>> = {},
  startsInDays = 0
): Promise<string> => {
  const start = Date.parse(await timeOf(server)) + startsInDays * 86_400_000
  const created = await json<Campaign>(
    await server.request(campaignsPath, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name: "Crash test",
        app_config: {
          app_id: "reminder",
          app_version: 1,
          connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }],
          retry_config: {
            max_retries: 2,
            retry_interval_minutes: 1,
            retry_on: { internal_error: { max_retries: 10, retry_interval_minutes: 1 } }
          },
          ...config
        },
        start_timestamp: new Date(start).toISOString(),
        end_timestamp: new Date(start + 30 * 86_400_000).toISOString(),
        allowed_schedule: {
          allowed_start_time: "00:00",
          allowed_end_time: "24:00",
          allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        }
      })
    })
  )
  return created.campaign_id
}

/** Uploads so many people, `person-0` and on. */
export const uploadPeople = async (server: ServerProcess, campaign: string, people: number): Promise<void> => {
  const rows = Array.from({ length: people }, (_, index) => `person-${index},98765${String(40_000 + index)}`)
  const form = new FormData()
  form.set("name", "People")
  form.set("cohort_file", new Blob([`id,mobile\n${rows.join("\n")}\n`]), "people.csv")
  const transformation = { phone_number: { column_name: "mobile" }, user_identifier: { column_name: "id" } }
  form.set("cohort_transformation_file", new Blob([JSON.stringify(transformation)]), "transformation.json")
  await json(await server.request(`${campaignsPath}/${campaign}/cohorts/upload`, { method: "POST", body: form }))
}

/** Every attempt of the campaign that has ended. */
export const allAttempts = async (server: ServerProcess, campaign: string): Promise<Array<AttemptItem>> => {
  const query = new URLSearchParams({
    start_datetime: "2020-01-01T00:00:00Z",
    end_datetime: "2100-01-01T00:00:00Z",
    limit: "100",
    filter_conditions: JSON.stringify([{ id: "c", field: "campaign_id", operator: "equals", value: campaign }])
  })
  const items: Array<AttemptItem> = []
  let path: string | null = `/analytics/v1/acme/main/reminder/attempts?${query}`
  while (path !== null) {
    const page: { items: Array<AttemptItem>; next_page_uri: string | null } = await json(await server.request(path))
    items.push(...page.items)
    path = page.next_page_uri
  }
  return items
}
