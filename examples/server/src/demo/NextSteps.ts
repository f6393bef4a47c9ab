import { assignments, type Door, keyNote, variables } from "../Pasteable.js"

/** What the demo leaves behind for whoever wants to look at it. */
export interface DemoTraces {
  readonly campaign: string
  /** The path and query of the list of its attempts. */
  readonly attempts: string
  readonly board: string
  /** The id of a widget that is drawn. */
  readonly picture: string | undefined
}

const json = (body: unknown): string =>
  `-H "api-subscription-key: $KEY" -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`

/** How to look at what happened and how to ask the model, as lines to paste into a shell. */
export const nextSteps = (url: string, door: Door, { attempts, board, campaign, picture }: DemoTraces): string =>
  [
    "See for yourself. Paste this into another terminal:",
    "",
    ...variables(url, door),
    ...assignments({ CAMPAIGN: campaign, BOARD: board }),
    ...keyNote(door),
    "",
    "# The campaign, and its people",
    "curl -H \"api-subscription-key: $KEY\" \"$W/campaigns/$CAMPAIGN/progress\"",
    "curl -H \"api-subscription-key: $KEY\" \"$W/campaigns/$CAMPAIGN/contacts?limit=3\"",
    "",
    "# Its calls",
    `curl -H "api-subscription-key: $KEY" "${url}${attempts}"`,
    "",
    "# Its board, and a chart of it",
    "curl -H \"X-API-Key: $KEY\" \"$BASE/boards/$BOARD\"",
    ...(picture === undefined
      ? []
      : [`curl -H "X-API-Key: $KEY" "$BASE/boards/$BOARD/widgets/${picture}/chart.svg" -o chart.svg`]),
    "",
    "# The model: a whole answer, and one in events",
    `curl ${url}/v1/chat/completions ${json({ model: "core-105b", messages: [{ role: "user", content: "Hello" }] })}`,
    `curl -N ${url}/v2/responses ${json({ model: "model-g", input: "Hello", stream: true })}`
  ].join("\n")
