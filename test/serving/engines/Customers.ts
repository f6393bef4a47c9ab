/** Accounts of the engine `limited`, named after the tests that use them up. Each owns an organisation of its name. */
export const customers = [
  "deployments",
  "campaigns",
  "cohorts",
  "outbounds",
  "analytics",
  "atonce",
  "shared",
  "untouched",
  "order",
  "free",
  "uploads",
  "events",
  "sockets",
  "manyevents",
  "manysockets",
  "head",
  "models",
  "voices",
  "unvoiced"
] as const

export type Customer = typeof customers[number]

/** The workspaces that every customer has, each with a key of its own. */
export const rooms = ["main", "side"] as const

/** The key of a workspace of a customer. */
export const keyOf = (customer: Customer, room: typeof rooms[number] = "main") => `sk_test_${customer}${room}_5e0f9a`

/** What every allowance of a customer holds; it refills with one a minute. */
export const allowance = 3

/** How many connections a customer may hold at once. */
export const ceiling = 2
