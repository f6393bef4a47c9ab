import type { AttemptDetail } from "../api/types.js"
import { wordsOf } from "../ui/Badge.js"
import { Card } from "../ui/Card.js"
import { moneyText } from "../ui/Money.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { numberText } from "../ui/Time.js"

type Ledger = NonNullable<AttemptDetail["costs"]>

type Line = Ledger["lines"][number]

const priceText = ({ currency, per, unit_price }: Line): string =>
  unit_price === null ? "unknown" : `${currency} ${unit_price}${per === 1 ? "" : ` for ${numberText(per)}`}`

const columns: ReadonlyArray<TableColumn<Line>> = [
  { title: "Service", cell: ({ model, provider, service }) => <>{wordsOf(service)} <span class="muted">{provider} {model}</span></> },
  { title: "Quantity", cell: ({ estimated, quantity, unit }) =>
    `${estimated === true ? "about " : ""}${numberText(quantity)} ${wordsOf(unit).toLowerCase()}s` },
  { title: "Price", cell: priceText },
  { title: "Amount", right: true, cell: ({ amount_micros, currency }) => moneyText(amount_micros, currency) }
]

const keyOf = ({ estimated, model, provider, service, unit }: Line) => `${service} ${provider} ${model} ${unit} ${estimated}`

/** What a call cost: each quantity with its price, and the sum. */
export const Costs = ({ costs }: { readonly costs: Ledger }) => (
  <Card title="Costs" actions={<b class="number">{moneyText(costs.amount_micros, costs.currency)}</b>}>
    {!costs.complete && <p class="small muted">At least: some prices, or a part of the usage, are unknown.</p>}
    {costs.lines.length === 0
      ? <p class="muted">Nothing was charged.</p>
      : <Table label="Costs" columns={columns} rows={costs.lines} keyOf={keyOf} />}
  </Card>
)
