/** Text that completes a block to a module of its own. */
export interface Completion {
  readonly before: string
  readonly after: string
}

const tested = [
  `declare const desk: import("trunkline/testing").TestedAgent`,
  `declare const agent: import("trunkline").AgentOptions`,
  `declare const model: import("trunkline").PlainModel`,
  ""
].join("\n")
const trunkline = `declare const trunkline: import("trunkline").Trunkline\n`
const engine = [
  `declare const engine: ReturnType<typeof import("@trunkline/engine").Engine.layerMemory>`,
  ""
].join("\n")
const server = `declare const server: import("node:http").Server\n`
const voice = `declare const voice: Awaited<ReturnType<typeof import("@trunkline/node-http").toNodeHandler>>\n`
const campaign = `${trunkline}declare const campaign_id: string\n`
const appConfig = [
  `declare const app_config: Parameters<import("trunkline").Trunkline["campaigns"]["create"]>[0]["app_config"]`,
  ""
].join("\n")
const newCampaign = [
  `declare const campaign: Parameters<import("trunkline").Trunkline["campaigns"]["create"]>[0]`,
  ""
].join("\n")
const retryConfig = [
  `type NewCampaign = Parameters<import("trunkline").Trunkline["campaigns"]["create"]>[0]`,
  `export const given: NewCampaign["app_config"]["retry_config"] = retry_config`,
  ""
].join("\n")

const studio = [
  "interface StudioCall {",
  "  readonly id: string",
  "  readonly from: string",
  "  readonly to: string",
  "  readonly answered: Promise<StudioCall>",
  "  speak(text: string): Promise<void>",
  "  hear(seconds: number, signal: AbortSignal): Promise<string | null>",
  "  end(): Promise<void>",
  "}",
  "declare const studio: {",
  "  incoming(): AsyncIterable<StudioCall>",
  "  dial(call: { id: string, from: string, to: string, ring_seconds: number }): Promise<StudioCall>",
  "}",
  ""
].join("\n")

const bun = [
  `declare const voice: Awaited<ReturnType<typeof import("@trunkline/bun").toBunHandlers>>`,
  "type Socket = Parameters<typeof voice.websocket.open>[0]",
  "interface Sockets { open(socket: Socket): void; drain(socket: Socket): void; close(socket: Socket, code: number): void",
  "  message(socket: Socket, message: string | Uint8Array): void }",
  "export const options: { readonly websocket: Sockets } = {",
  ""
].join("\n")

/** Completions by page and number of the block; a page's `*` is for all of its blocks that are not named. */
const completions: Readonly<Record<string, Readonly<Record<string, Partial<Completion>>>>> = {
  "docs/getting-started.md": {
    4: { before: "declare const save: (result: object) => Promise<void>\n" },
    6: { before: trunkline },
    7: { before: trunkline },
    8: { before: trunkline }
  },
  "docs/first-campaign.md": {
    1: {},
    3: {},
    5: { after: retryConfig },
    8: { before: `${campaign}declare const cohort_id: string\n` },
    "*": { before: campaign }
  },
  "docs/costs.md": {
    2: { before: `${trunkline}declare const attempt_id: string\n` },
    3: { before: `${campaign}${appConfig}` },
    4: { before: `${campaign}${appConfig}` },
    5: {
      before: [
        `declare const scope: import("@trunkline/kernel").Scope`,
        `declare const attempt_id: import("@trunkline/kernel").AttemptId`,
        `declare const readTranscript: import("effect").Effect.Effect<string>`,
        ""
      ].join("\n"),
      after: "export { summarize }\n"
    }
  },
  "docs/campaigns.md": {
    1: { before: trunkline },
    2: { after: retryConfig },
    3: { before: `${trunkline}${newCampaign}` },
    4: { before: campaign }
  },
  "docs/cohorts.md": { 1: { before: campaign } },
  "docs/calls.md": {
    "*": {
      before: [
        `import { Engine } from "@trunkline/engine"`,
        "declare const balanceOf: (account: string, number: string) => number",
        `declare const connections: Parameters<typeof Engine.layerMemory>[0]["connections"]`,
        ""
      ].join("\n")
    }
  },
  "docs/deployments.md": {
    1: { before: `declare const carrier: import("trunkline").PlainCarrier\n` },
    2: { before: studio },
    "*": { before: `${trunkline}declare const deployment_id: string\n` }
  },
  "docs/embedding.md": {
    4: {},
    5: {},
    6: {},
    7: {},
    8: {},
    12: { before: `${trunkline}${server}` },
    14: {},
    "*": { before: trunkline }
  },
  "docs/testing.md": {
    4: { before: `declare const model: import("trunkline").PlainModel\n` },
    6: { before: trunkline },
    7: { before: trunkline }
  },
  "docs/testing-agents.md": { 1: {}, "*": { before: tested } },
  "docs/replay.md": { 2: { before: trunkline }, 3: { before: trunkline } },
  "docs/conversation.md": { 4: { before: trunkline } },
  "docs/effect.md": { 2: { before: trunkline } },
  "docs/serving.md": {
    2: { before: trunkline },
    4: { before: engine },
    5: { before: engine },
    6: { before: `import fastify from "fastify"\nconst app = fastify()\n${voice}` },
    7: {
      before: [
        `type Node = typeof import("node:http")`,
        `interface Context { readonly req: InstanceType<Node["IncomingMessage"]>, respond: boolean`,
        `  readonly res: InstanceType<Node["ServerResponse"]> }`,
        `declare const app: { use(middleware: (context: Context, next: () => Promise<void>) => unknown): void }`,
        voice
      ].join("\n")
    },
    8: { before: `import express from "express"\nconst app = express()\n${engine}` },
    9: { before: `import { Hono } from "hono"\nconst app = new Hono()\n${engine}` },
    11: { before: `${engine}declare const Bun: { serve(options: object): import("@trunkline/bun").BunServer }\n` },
    12: { before: bun, after: "}\n" },
    3: { before: `${trunkline}${server}` }
  },
  "docs/webhooks.md": {
    1: { before: campaign },
    2: {
      before: [
        `import { Engine } from "@trunkline/engine"`,
        `import { HttpSenderGuarded } from "@trunkline/http-client/guarded"`,
        `declare const agents: Parameters<typeof Engine.layerMemory>[0]["agents"]`,
        `declare const connections: Parameters<typeof Engine.layerMemory>[0]["connections"]`,
        ""
      ].join("\n"),
      after: "export { engine }\n"
    },
    3: {
      before: [
        `import { Engine } from "@trunkline/engine"`,
        `import { Effect } from "effect"`,
        `declare const scope: import("@trunkline/kernel").Scope`,
        `declare const campaign_id: import("@trunkline/kernel").CampaignId`,
        `export const program = Effect.gen(function*() {`,
        ""
      ].join("\n"),
      after: "})\n"
    }
  },
  "docs/chat.md": {
    5: {
      before: [
        `type Options = Parameters<typeof import("@trunkline/engine").Engine.layerMemory>[0]`,
        `declare const agents: NonNullable<Options["agents"]>`,
        `declare const connections: NonNullable<Options["connections"]>`,
        `declare const access: NonNullable<Options["access"]>`,
        ""
      ].join("\n")
    }
  },
  "docs/operations.md": {
    3: { before: trunkline },
    4: { before: trunkline },
    5: { before: trunkline },
    6: { before: trunkline }
  },
  "docs/models.md": {
    6: { before: engine }
  },
  "docs/rehearsal.md": {
    1: { before: campaign },
    2: { before: `declare const campaign: Parameters<typeof import("@trunkline/rehearsal").rehearse>[0]["campaign"]\n` }
  },
  "docs/responses.md": { 5: { before: trunkline } },
  "docs/speech.md": { 3: { before: `${trunkline}declare const voice_id: string\n` } },
  "docs/limits.md": {
    1: { before: trunkline },
    5: {
      before: [
        `import { Effect } from "effect"`,
        `declare const credits: typeof import("@trunkline/rate-limits").Credits.Service`,
        `declare const caller: Parameters<typeof credits.pay>[0]["payer"]`,
        `declare const request_id: string`,
        `declare const text: string`,
        `declare const synthesize: (text: string) => import("effect").Effect.Effect<Uint8Array>`,
        ""
      ].join("\n")
    },
    6: { before: `import { Credits, priceTable } from "@trunkline/rate-limits"\n` }
  }
}

/** The completion of a block; nothing for most. */
export const completionOf = (page: string, number: number): Completion => {
  const ofPage = completions[page]
  return { before: "", after: "", ...ofPage?.[number] ?? ofPage?.["*"] }
}

const trunklineModule = `export declare const trunkline: () => Promise<import("trunkline").Trunkline>\n`

/** Modules that blocks import by a relative path, by their path in the folder of the blocks. */
export const neighbours: Readonly<Record<string, string>> = {
  "engine.ts": `export declare const engine: ReturnType<typeof import("@trunkline/engine").Engine.layerMemory>\n`,
  "a/b/docs-embedding-md-8/lib/trunkline.ts": trunklineModule,
  "lib/trunkline.ts": trunklineModule
}
