import type { WidgetsCreateBody } from "@trunkline/client"

export const base = "/api/analytics/v1/acme/main"

export const sql = "SELECT app_id, count(*) AS calls FROM EngagementFactsBoardsView GROUP BY app_id"

export const widget = {
  name: "Calls",
  sql,
  viz_type: "bar",
  viz_config: { x_axis: "app_id", y_axis: ["calls"] }
} satisfies WidgetsCreateBody

export const filtered = {
  name: "Calls of one agent",
  sql:
    "SELECT count(*) FROM EngagementFactsBoardsView WHERE effective_datetime >= {{since}} [[AND app_id = {{agent}}]]",
  filters: [
    { internal_name: "since", display_label: "Since", filter_type: "date", default_value: "2020-01-01" },
    { internal_name: "agent", filter_type: "string" }
  ]
} satisfies WidgetsCreateBody

export const rule = {
  widget_id: "{widget_id}",
  cron: "0 9 * * MON",
  name: "Mondays",
  slack_webhook_url: "https://hooks.slack.com/services/T0/B0/quiet",
  slack_channel_name: "#calls"
}

export const board = `${base}/boards/{board_id}`

export const filled = (text: string, ids: Readonly<Record<string, string>>) =>
  text.replaceAll(/\{(\w+)\}/g, (token, name) => ids[name] ?? token)
