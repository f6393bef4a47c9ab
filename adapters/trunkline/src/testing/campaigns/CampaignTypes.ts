import type { CallEnded, CampaignsCreateBody } from "../../generated/Resources.js"
import type { TestedCall } from "../../generated/Testing.js"
import type { Variables } from "../../options/AgentOptions.js"
import type { CallerScript, TestAgentOptions } from "../TestTypes.js"

/** A contact of a campaign. */
export interface TestContact {
  /** Number in E.164, such as `+919800000001`. */
  readonly phone: string
  /** Your own id; the number by default. */
  readonly id?: string
  readonly variables?: Variables
}

/** Reaction of a contact who is dialled: a caller answers, or nobody does. */
export type ContactAnswer = CallerScript | "busy" | "no_answer"

/** Options of a campaign under test. */
export interface TestCampaignOptions
  extends Pick<TestAgentOptions, "tools" | "model" | "version" | "agents" | "at" | "seed" | "rules" | "lastSilence">
{
  readonly contacts: ReadonlyArray<TestContact>
  /** Reaction of a contact to each attempt, counted from 1. */
  readonly answers: (contact: TestContact, attempt: number) => ContactAnswer
  /** Settings of the campaign, such as its schedule and its retries. By default it calls at all hours, and does not retry. */
  readonly campaign?:
    & Partial<Omit<CampaignsCreateBody, "name" | "app_config" | "start_timestamp" | "end_timestamp">>
    & { readonly app_config?: Partial<CampaignsCreateBody["app_config"]> }
  /** Days after which the campaign ends in any case; 7 by default. */
  readonly days?: number
}

/** A dial of a contact. */
export interface TestedDial {
  readonly contact: TestContact
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Moment of the dial, as an ISO date. */
  readonly at: string
  /** The conversation; null for a dial that was not answered. */
  readonly call: TestedCall | null
  /** The attempt as `onCallEnded` has it. */
  readonly ended: CallEnded
}

/** A campaign that has ended. */
export interface TestedCampaign {
  /** Dials in the order of their moments. */
  readonly dials: ReadonlyArray<TestedDial>
  /** Calls that were answered, in the same order. */
  readonly calls: ReadonlyArray<TestedCall>
  /** Status of the campaign: `ended`, unless its days were over before. */
  readonly status: string
}
