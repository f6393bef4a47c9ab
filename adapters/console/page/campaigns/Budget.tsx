import type { ProgressRecord } from "../api/types.js"
import { Card } from "../ui/Card.js"
import { moneyText } from "../ui/Money.js"

/** Costs of a campaign so far, and its budget; nothing where there is neither. */
export const Budget = ({ progress: { budget, spend } }: { readonly progress: ProgressRecord }) => {
  if (budget === null && spend.amount_micros === 0) return null
  const spent = moneyText(spend.amount_micros, spend.currency)
  const limit = Math.max(1, budget?.amount_micros ?? 1)
  const share = (micros: number) => `${Math.min(100, (100 * micros) / limit)}%`
  return (
    <Card title="Spent">
      <p><b class="number">{spent}</b>{budget && <span class="muted"> of {moneyText(budget.amount_micros, spend.currency)}</span>}</p>
      {budget && (
        <>
          <div
            class="bar"
            role="progressbar"
            aria-label="Budget spent"
            aria-valuemin={0}
            aria-valuemax={budget.amount_micros}
            aria-valuenow={Math.min(spend.amount_micros, budget.amount_micros)}
            aria-valuetext={`${spent} of ${moneyText(budget.amount_micros, spend.currency)} spent`}
          >
            <i style={{ width: share(spend.amount_micros) }} />
            <i class="info" style={{ width: share(budget.reserved_micros) }} />
          </div>
          <p class="small muted">
            {moneyText(budget.reserved_micros, spend.currency)} set aside for running calls, {moneyText(budget.remaining_micros, spend.currency)} left
          </p>
        </>
      )}
      {spend.incomplete_calls > 0 && <p class="small muted">Not counted: unknown costs of {spend.incomplete_calls} calls</p>}
    </Card>
  )
}
