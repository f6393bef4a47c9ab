/** Names of the roles that the processes of a database share. */
export const roleNames = ["api", "dial", "webhooks", "boards", "imports"] as const

/**
 * A part of an engine's work: `api` answers requests over HTTP, `dial` runs campaigns and carries calls, `webhooks`
 * delivers webhooks and finds out what agents want to know after calls, `boards` keeps a warehouse, answers queries from it and sends reports, and `imports` imports cohorts.
 */
export type Role = typeof roleNames[number]

const isRole = (name: string): name is Role => roleNames.some((role) => role === name)

/** Reads the names of the roles of a process. A text is the rest of a sentence about what is wrong with them. */
export const readRoles = (names: ReadonlyArray<string>): ReadonlyArray<Role> | string => {
  const unknownName = names.find((name) => !isRole(name))
  const repeatedText = names.find((name, index) => names.indexOf(name) < index)
  if (names.length === 0) return `must name one or more of ${roleNames.join(", ")}`
  if (unknownName !== undefined) return `cannot have "${unknownName}": there are ${roleNames.join(", ")}`
  return repeatedText === undefined ? names.filter(isRole) : `must name "${repeatedText}" once`
}

/** True when a process needs no other one. */
export const hasAllRoles = (roles: ReadonlyArray<string>): boolean => roleNames.every((role) => roles.includes(role))
