import type { ServerConfig } from "./ServerConfig.js"

/** A workspace and a key that opens it. */
export interface Door {
  readonly org: string
  readonly workspace: string
  readonly key: string
}

/** The first key of a configuration file that opens a workspace, and that workspace. */
export const firstDoor = ({ keys, workspaces }: Pick<ServerConfig, "keys" | "workspaces">): Door | undefined =>
  keys.flatMap(({ account_id, key, workspaces: opened }) => {
    const workspace = workspaces.find((one) =>
      one.account_id === account_id && (opened === "*" || opened.includes(one.workspace_id))
    )
    return workspace === undefined ? [] : [{ org: workspace.org_id, workspace: workspace.workspace_id, key }]
  })[0]

/** A word of a POSIX shell that stands for the text, whatever is in it. */
const quote = (text: string): string => /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Lines that a shell takes as they are, each of which gives a variable its value. */
export const assignments = (values: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(values).map(([name, value]) => `${name}=${quote(value)}`)

/** A key of an installation that is in earnest: standard output may be kept as a log. */
export const isLive = (key: string): boolean => key.startsWith("sk_live_")

/**
 * The variables that the examples of the documentation are written with, as lines to paste into a shell: `W` is the
 * workspace, `BASE` its boards, and `KEY` the key, unless it is a live one.
 */
export const variables = (url: string, { key, org, workspace }: Door): ReadonlyArray<string> => {
  const [inOrg, inWorkspace] = [org, workspace].map(encodeURIComponent)
  return assignments({
    W: `${url}/v1/orgs/${inOrg}/workspaces/${inWorkspace}`,
    BASE: `${url}/api/analytics/v1/${inOrg}/${inWorkspace}`,
    ...(!isLive(key) && { KEY: key })
  })
}

/** Says how to get the variable that is missing, where it is. */
export const keyNote = ({ key }: Door): ReadonlyArray<string> =>
  isLive(key) ? ["A live key is not printed: give KEY one of the keys of the configuration file yourself."] : []
