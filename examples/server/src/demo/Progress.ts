/** Progress of the demo's campaign. */
interface CampaignProgress {
  readonly people: number
  /** Contacts whose calls are finished. */
  readonly done: number
  readonly calls: number
  readonly status: string
}

const width = 30

/** Progress bar of a campaign, as one line. */
const progressLine = ({ calls, done, people, status }: CampaignProgress): string => {
  const filled = people === 0 ? 0 : Math.round(done / people * width)
  return `[${"#".repeat(filled)}${
    ".".repeat(width - filled)
  }] ${done} of ${people} people done, ${calls} calls, campaign ${status}`
}

/** Progress display: a bar redrawn in place on a terminal, otherwise a line for each sixth of the contacts. */
export const progressShow = (
  out: { readonly isTTY?: boolean; readonly write: (text: string) => unknown }
) => {
  let lastDone = -1
  let lastStatus = ""
  return {
    show: (progress: CampaignProgress) => {
      if (out.isTTY === true) {
        out.write(`\r${progressLine(progress)}\u001b[K`)
        return
      }
      const step = Math.max(1, Math.floor(progress.people / 6))
      if (progress.status === lastStatus && progress.done < lastDone + step) return
      lastDone = progress.done
      lastStatus = progress.status
      out.write(`${progressLine(progress)}\n`)
    },
    end: () => {
      if (out.isTTY === true) out.write("\n")
    }
  }
}
