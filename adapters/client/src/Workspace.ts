/** Splits a workspace that is written as `org/workspace`, for paths. Throws `TypeError` for any other form. */
export const pathOfWorkspace = (name: string): { readonly org: string; readonly workspace: string } => {
  const [org = "", workspace = "", ...more] = name.split("/")
  if (more.length > 0 || [org, workspace].some((part) => /^\.{0,2}$/.test(part))) {
    throw new TypeError(`The workspace "${name}" is not of the form org/workspace`)
  }
  return { org: encodeURIComponent(org), workspace: encodeURIComponent(workspace) }
}
