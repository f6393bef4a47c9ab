import { Effect, Either, Exit, Mailbox, type Stream } from "effect"
import { isSuccess, refusedBy } from "../agent/Exchange.js"
import type { SipRequestFailed, TransferProgress } from "../agent/SipCall.js"
import { parseSipFragment } from "../headers/Refer.js"
import { header, type SipRequest, type SipResponse } from "../message/Message.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"
import type { CallCore } from "./CallCore.js"

/** Transfers of a call (RFC 3515). */
export interface Transfers {
  readonly refer: (
    target: string,
    replaces?: string
  ) => Effect.Effect<Stream.Stream<TransferProgress>, SipRequestFailed>
  /** Takes a NOTIFY. */
  readonly receive: (transaction: ServerTransaction) => void
}

/** Reports that wait to be read, at most; then the oldest goes. */
const capacity = 16

/** Report of a NOTIFY; null where there is none. */
const progressOf = (request: SipRequest): TransferProgress | null => {
  const isOver = /^\s*terminated/i.test(header(request, "subscription-state") ?? "")
  return Either.match(parseSipFragment(request.body), {
    onLeft: () => isOver ? { status: 500, final: true } : null,
    onRight: ({ status }) => ({ status, final: isOver || status >= 200 })
  })
}

/** True where the other side will report nothing (RFC 4488, section 4). */
const reportsNothing = (response: SipResponse): boolean => /^\s*false\b/i.test(header(response, "refer-sub") ?? "")

/** Value of Refer-To, whose call replaces a dialog where one is given (RFC 3891, section 6.1). */
const referTo = (target: string, replaces: string | undefined): string => {
  if (replaces === undefined) return `<${target}>`
  return `<${target}${target.includes("?") ? "&" : "?"}Replaces=${encodeURIComponent(replaces)}>`
}

/** Makes the transfers of a call. One goes on at a time: another REFER ends the reports of the one before. */
export const makeTransfers = (core: CallCore): Transfers => {
  let reports: Mailbox.Mailbox<TransferProgress> | null = null
  const end = () => {
    reports?.unsafeDone(Exit.void)
    reports = null
  }
  core.onEnd(end)

  return {
    refer: (target, replaces) =>
      Effect.gen(function*() {
        const mailbox = yield* Mailbox.make<TransferProgress>({ capacity, strategy: "sliding" })
        end()
        // The first report may overtake the response.
        reports = mailbox
        const { local } = core.state.dialog
        const response = yield* core.request("REFER", {
          headers: [["refer-to", referTo(target, replaces)], ["referred-by", local.replace(/;.*$/, "")]]
        })
        if (isSuccess(response)) {
          if (reportsNothing(response)) {
            mailbox.unsafeOffer({ status: response.status, final: true })
            end()
          }
          return Mailbox.toStream(mailbox)
        }
        end()
        return yield* refusedBy(response)
      }),
    receive: (transaction) => {
      const { request } = transaction
      const isReport = /^\s*refer\b/i.test(header(request, "event") ?? "")
      if (reports === null || !isReport) return core.respond(transaction, 481)
      core.respond(transaction, 200)
      const progress = progressOf(request)
      if (progress === null) return
      reports.unsafeOffer(progress)
      if (progress.final) end()
    }
  }
}
