import { Invalid, type Issue, RuleViolation } from "@trunkline/errors"

/** Parts of a request that begin the locations of issues over HTTP. */
const parts: ReadonlyArray<unknown> = ["body", "query", "path"]

const orDate = ", or a Date"

const isOfTime = ({ msg, type }: Issue) => type === "datetime_parsing" || msg.startsWith("Must be a date and time")

/** The message of an issue, with what methods take beside the texts of HTTP. */
const ownMessage = (issue: Issue): string =>
  isOfTime(issue) && !issue.msg.endsWith(orDate) ? `${issue.msg}${orDate}` : issue.msg

/** A failure with other locations of its issues; one without issues as it is. */
const mapIssuePaths = <E>(failure: E, at: (loc: Issue["loc"]) => Issue["loc"]): E | Invalid | RuleViolation => {
  if (!(failure instanceof Invalid || failure instanceof RuleViolation)) return failure
  const [first, ...others] = failure.issues
  const relocate = (issue: Issue): Issue => ({ ...issue, msg: ownMessage(issue), loc: at(issue.loc) })
  const issues = [relocate(first), ...others.map(relocate)] as const
  return failure instanceof Invalid ? new Invalid({ issues }) : new RuleViolation({ issues })
}

/** A failure whose issues name fields of arguments in place of parts of a request; `root` is the path of an argument itself. */
export const withOwnPaths = <E>(failure: E, root: Issue["loc"] = []): E | Invalid | RuleViolation =>
  mapIssuePaths(failure, (loc) => !parts.includes(loc[0]) ? loc : loc.length > 1 ? loc.slice(1) : root)

/** Options of a call by their places in the body of an outbound. */
const callOptions: ReadonlyArray<readonly [place: string, option: string]> = [
  ["app_config.app_id", "agent"],
  ["app_config.app_version", "version"],
  ["app_config.agent_variables", "variables"],
  ["app_config.answer_handling", "answer_handling"],
  ["app_config.connection_config.connection_id", "line"],
  ["app_config.connection_config.agent_phone_number", "from"],
  ["user_config.user_phone_number", "to"],
  ["user_config.user_identifier", "user_identifier"],
  ["webhook_config", "webhook"]
]

/** Options of a call from a browser by their places in the body of its request. */
const browserCallOptions: typeof callOptions = [
  ["app_id", "agent"],
  ["app_version", "version"],
  ["agent_variables", "variables"],
  ["app_overrides", "overrides"],
  ["webhook_config", "webhook"]
]

const withPathsOf = (options: typeof callOptions) => <E>(failure: E): E | Invalid | RuleViolation =>
  mapIssuePaths(failure, (loc) => {
    const path = loc.join(".")
    const entry = options.find(([place]) => path === place || path.startsWith(`${place}.`))
    return entry === undefined ? loc : [entry[1], ...loc.slice(entry[0].split(".").length)]
  })

/** A failure whose issues name the options of a call. */
export const withCallPaths = withPathsOf(callOptions)

/** A failure whose issues name the options of a call from a browser. */
export const withBrowserCallPaths = withPathsOf(browserCallOptions)
