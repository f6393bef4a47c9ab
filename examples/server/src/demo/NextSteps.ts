import { assignments, type Door, keyNote, openUrl, variables } from "trunkline/server"

/** Ids of the records that the demo created. */
export interface DemoTraces {
  readonly campaign: string
  /** The path and query of a list of its attempts. */
  readonly attempts: string
  readonly board: string
  /** The id of a widget of the board that can be drawn. */
  readonly widget: string
}

const json = (body: unknown): string =>
  `-H "api-subscription-key: $KEY" -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`

/** Says where to watch the campaign, before its first call. */
export const watchIt = (url: string, door: Door, ids: Pick<DemoTraces, "board" | "campaign">): string =>
  ["Watch the campaign in the console, in a browser:", "", openUrl(url, door, ids), ""].join("\n")

/** Commands to paste into a shell: they read the records of the demo and ask the model. */
export const nextSteps = (url: string, door: Door, { attempts, board, campaign, widget }: DemoTraces): string =>
  [
    "The console stays open in a browser:",
    "",
    openUrl(url, door, { board, campaign }),
    "",
    "Or paste this into another terminal:",
    "",
    ...variables(url, door),
    ...assignments({ CAMPAIGN: campaign, BOARD: board, WIDGET: widget }),
    ...keyNote(door),
    "",
    "and then, for example:",
    "",
    "curl -sH \"api-subscription-key: $KEY\" \"$W/campaigns/$CAMPAIGN/progress\"",
    "curl -sH \"api-subscription-key: $KEY\" \"$W/campaigns/$CAMPAIGN/contacts?limit=3\"",
    `curl -sH "api-subscription-key: $KEY" "${url}${attempts}"`,
    "curl -sH \"X-API-Key: $KEY\" \"$BASE/boards/$BOARD\"",
    "curl -sH \"X-API-Key: $KEY\" \"$BASE/boards/$BOARD/widgets/$WIDGET/chart.svg\" -o chart.svg",
    `curl -s ${url}/v1/chat/completions ${
      json({ model: "core-105b", messages: [{ role: "user", content: "Hello" }] })
    }`,
    `curl -sN ${url}/v2/responses ${json({ model: "model-g", input: "Hello", stream: true })}`
  ].join("\n")
