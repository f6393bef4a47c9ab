import type { AttemptDetail } from "../api/types.js"
import { wordsOf } from "../ui/Badge.js"
import { Card } from "../ui/Card.js"
import { moneyText } from "../ui/Money.js"
import { Table, type TableColumn } from "../ui/Table.js"
import { numberText } from "../ui/Time.js"

type Ledger = NonNullable<AttemptDetail["costs"]>

type Line = Ledger["lines"][number]

const priceText = ({ currency, per, unit_price }: Line): string =>
  unit_price === null ? "an unknown price" : `${currency} ${unit_price}${per === 1 ? "" : ` for ${numberText(per)}`}`

const quantityText = ({ estimated, quantity, unit }: Line): string =>
  `${estimated === true ? "about " : ""}${numberText(quantity)} ${wordsOf(unit).toLowerCase()}s`

/** Two columns, since the card is narrow. */
const columns: ReadonlyArray<TableColumn<Line>> = [
  { title: "Service", cell: (line) => (
    <>
      {wordsOf(line.service)} <span class="muted">{line.provider} {line.model}</span>
      <div class="small muted number">{quantityText(line)} at {priceText(line)}</div>
    </>
  ) },
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
