import { ChartError, ChartRenderer } from "@trunkline/charts"
import { ChartsEcharts } from "@trunkline/charts-echarts"
import { AgentTools } from "@trunkline/conversation"
import type { Mailer } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { Layer, Redacted } from "effect"
import { createRequire } from "node:module"
import { callEndedSender, callEndedUrl } from "./CallEndedSender.js"
import type { Access } from "./generated/Resources.js"
import { agentParts } from "./options/AgentParts.js"
import { lineParts } from "./options/CarrierParts.js"
import { InvalidOption } from "./options/InvalidOption.js"
import { modelLayer } from "./options/ModelLayer.js"
import type { MailOptions, TrunklineOptions } from "./options/TrunklineOptions.js"
import { transcriberLayer, voicesLayer } from "./options/VoiceLayer.js"
import type { EndedCalls } from "./promises/CallMethods.js"
import { layerSqlite } from "./sqlite/LayerSqlite.js"

/** Access of an engine whose options name none: one account with one workspace, and no keys. */
const defaultAccess: Access = {
  accounts: [{ account_id: "main", plan: "business" }],
  workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main" }],
  keys: []
}

const { resolve } = createRequire(import.meta.url)

const isInstalled = (name: string): boolean => {
  try {
    resolve(name)
    return true
  } catch {
    return false
  }
}

/** Scripts of India that charts are labelled in, by the names of their fonts. */
const scripts = ["bengali", "devanagari", "gujarati", "gurmukhi", "kannada", "malayalam", "oriya", "tamil", "telugu"]

/** Packages that draw charts, which are only needed by those who show charts. */
const chartPackages = [
  "echarts",
  "@resvg/resvg-js",
  "@expo-google-fonts/noto-sans",
  ...scripts.map((script) => `@expo-google-fonts/noto-sans-${script}`)
]

/** The renderer of charts, or one that says which packages are missing. */
const chartsLayer = () => {
  const missing = chartPackages.filter((name) => !isInstalled(name))
  if (missing.length === 0) return ChartsEcharts.layer()
  return Layer.succeed(ChartRenderer, {
    render: () =>
      new ChartError({
        kind: "unavailable",
        message: `Charts need packages that are not installed: npm i ${missing.join(" ")}`
      })
  })
}

/** The mailer. Its package is loaded now, so that a missing one is reported at the start. */
const mailerLayer = async ({ password, ...mail }: MailOptions): Promise<Layer.Layer<Mailer, Error>> => {
  if (!isInstalled("nodemailer")) throw new InvalidOption("mail", "mail needs a package: npm i nodemailer")
  const { MailerSmtp } = await import("@trunkline/mailer-smtp")
  return MailerSmtp.layer({
    port: undefined,
    tls: undefined,
    user: undefined,
    ...mail,
    password: password === undefined ? undefined : Redacted.make(password),
    allowInsecure: false
  })
}

const optionNames: ReadonlyArray<string> = Object.keys(
  {
    data: 0,
    agents: 0,
    lines: 0,
    model: 0,
    voices: 0,
    transcriber: 0,
    access: 0,
    workspace: 0,
    onCallEnded: 0,
    simulator: 0,
    mail: 0,
    limits: 0,
    allowInsecureUrls: 0,
    allowPrivateUrls: 0
  } satisfies Record<keyof TrunklineOptions, 0>
)

/** Fails at options that do not exist, and without a data folder. */
const checkNames = (options: TrunklineOptions): void => {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown !== undefined) {
    throw new InvalidOption(unknown, `there is no such option; there are ${optionNames.join(", ")}`)
  }
  if (typeof options.data !== "string" || options.data === "") {
    throw new InvalidOption("data", "name the folder that everything is kept in, or :memory:")
  }
}

/** The workspace of methods whose options name none. */
export const workspaceOf = ({ access = defaultAccess, workspace }: TrunklineOptions): string => {
  const names = access.workspaces.map(({ org_id, workspace_id }) => `${org_id}/${workspace_id}`)
  const [first = "main/main"] = names
  return workspace ?? first
}

/** The engine of the options. Throws `InvalidOption`. */
export const engineLayer = async (options: TrunklineOptions, endedCalls: EndedCalls) => {
  checkNames(options)
  const {
    access = defaultAccess,
    agents: agentOptions = [],
    allowInsecureUrls = false,
    allowPrivateUrls = false,
    data,
    limits = true,
    lines = [],
    mail,
    model,
    onCallEnded,
    simulator = {},
    transcriber,
    voices
  } = options
  const { speed = 1, ...callees } = simulator
  const { agents, tools } = agentParts(agentOptions)
  const { carriers, connections } = lineParts(lines)
  if (speed !== 1 && lines.some(({ provider }) => provider !== "simulator")) {
    throw new InvalidOption("simulator.speed", "time can only be accelerated when all lines are simulated")
  }
  const addresses = { allowInsecureUrls, allowPrivateUrls }
  return layerSqlite({
    data,
    agents,
    connections,
    access,
    carriers,
    simulator: callees,
    speed,
    addresses,
    charts: chartsLayer(),
    onCallEnded: endedCalls.ended,
    speech: { allowPitchRateMatch: true },
    ...(model !== undefined && { model: modelLayer(model) }),
    ...(voices !== undefined && { synthesizer: voicesLayer(voices) }),
    ...(transcriber !== undefined && { transcriber: transcriberLayer(transcriber) }),
    ...(mail !== undefined && { mailer: await mailerLayer(mail) }),
    ...(!limits && { limits: RateLimits.layerUnlimited, load: Load.layerUnlimited }),
    ...(onCallEnded !== undefined && {
      callEndedWebhook: { url: callEndedUrl, secret: null },
      sender: callEndedSender(onCallEnded, addresses)
    })
  }).pipe(Layer.provide(Layer.succeed(AgentTools, tools)))
}
