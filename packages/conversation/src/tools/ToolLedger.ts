import type { AgentVersion } from "@trunkline/agents"
import type { ToolRequest } from "@trunkline/models"
import type { ToolUseOutcome } from "@trunkline/telephony"

/**
 * The uses of host tools in a call, from which the rules about them follow. A step writes it before the tools run: what a call
 * that is taken up elsewhere has to know lies in here.
 */
export interface ToolLedger {
  /** Number of uses in the call. */
  readonly inCall: number
  /** Number of uses with the same arguments since the caller spoke, by name and arguments. */
  readonly inTurn: Readonly<Record<string, number>>
  /** Number of uses with wrong arguments since the caller spoke, by name. */
  readonly misfits: Readonly<Record<string, number>>
  /** First answers of tools that run once a call, by name; null until there is one. */
  readonly once: Readonly<Record<string, string | null>>
  /** Requests whose tools run now. */
  readonly running: ReadonlyArray<ToolRequest>
}

/** The ledger of a call that begins. */
export const emptyLedger: ToolLedger = { inCall: 0, inTurn: {}, misfits: {}, once: {}, running: [] }

/** The ledger once the caller has spoken. */
export const afterCaller = (ledger: ToolLedger): ToolLedger => ({ ...ledger, inTurn: {}, misfits: {} })

/** Bounds of a conversation. */
interface Bounds {
  /** Maximum number of uses in the call. */
  readonly toolCallsInCall: number
}

/** A request, and the text for the model in place of its tool's answer where the tool may not run; null where it may. */
export interface ToolUse {
  readonly request: ToolRequest
  readonly refusal: string | null
}

/** Uses with the same arguments, or with wrong ones, until the caller speaks again. */
const maxUses = { same: 2, misfits: 2 }

const keyOf = ({ arguments: args, name }: ToolRequest): string => {
  try {
    return `${name} ${JSON.stringify(JSON.parse(args))}`
  } catch {
    return `${name} ${args}`
  }
}

const ranOnce = (answer: string | null): string =>
  answer === null
    ? "It runs once in a call, and has run already. Its answer is not known."
    : `It runs once in a call, and has run already. It answered: ${answer}`

const refusalOf = (
  ledger: ToolLedger,
  request: ToolRequest,
  { toolCallsInCall }: Bounds
): string | null => {
  const { name } = request
  const answer = ledger.once[name]
  if (answer !== undefined) return ranOnce(answer)
  if (ledger.inCall >= toolCallsInCall) return "No more tools can be used in this call. Go on without them."
  if ((ledger.inTurn[keyOf(request)] ?? 0) >= maxUses.same) {
    return "It was used with the same arguments already. Go on with what it answered."
  }
  return (ledger.misfits[name] ?? 0) >= maxUses.misfits ? "Its arguments were wrong twice. Ask the caller first." : null
}

const isOnce = ({ tools }: AgentVersion, name: string): boolean =>
  tools.some((tool) => tool.name === name && tool.once === true)

/** Decides which of the requested tools run, and notes those. */
export const beginUses = (
  { options, version }: { readonly version: AgentVersion; readonly options: Bounds },
  before: ToolLedger,
  requests: ReadonlyArray<ToolRequest>
): { readonly ledger: ToolLedger; readonly uses: ReadonlyArray<ToolUse> } => {
  let ledger = { ...before, running: requests }
  const uses = requests.map((request) => {
    const refusal = refusalOf(ledger, request, options)
    const key = keyOf(request)
    ledger = {
      ...ledger,
      inCall: ledger.inCall + 1,
      inTurn: { ...ledger.inTurn, [key]: (ledger.inTurn[key] ?? 0) + 1 },
      ...(refusal === null && isOnce(version, request.name) && { once: { ...ledger.once, [request.name]: null } })
    }
    return { request, refusal }
  })
  return { ledger, uses }
}

/** Notes the answer of a tool. One whose arguments were wrong has not run. */
export const endUse = (
  ledger: ToolLedger,
  { content, outcome, request: { id, name } }: {
    readonly request: ToolRequest
    readonly content: string
    readonly outcome: ToolUseOutcome
  }
): ToolLedger => {
  const running = ledger.running.filter((request) => request.id !== id)
  if (outcome === "refused") return { ...ledger, running }
  const isMisfit = outcome === "wrong_arguments"
  const { [name]: answer, ...others } = ledger.once
  return {
    ...ledger,
    running,
    misfits: isMisfit ? { ...ledger.misfits, [name]: (ledger.misfits[name] ?? 0) + 1 } : ledger.misfits,
    once: answer === undefined ? ledger.once : isMisfit ? others : { ...others, [name]: content }
  }
}

/** The text for the model about wrong arguments: after the second time it is told to ask the caller. */
export const misfitText = ({ misfits }: ToolLedger, name: string, content: string): string =>
  (misfits[name] ?? 0) + 1 < maxUses.misfits ? content : `${content} Do not use it again before the caller has spoken.`
