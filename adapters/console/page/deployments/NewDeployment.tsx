import { useSignal } from "@preact/signals"
import { TrunklineError } from "@trunkline/client"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import { usualSchedule, ScheduleFields } from "../campaigns/Schedule.js"
import { Button } from "../ui/Button.js"
import { Skeleton } from "../ui/Card.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"
import { reportDone } from "../ui/Toasts.js"

interface Props {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** A version of an agent that answers the chosen numbers, always or within hours. */
export const NewDeployment = ({ onClose, onDone }: Props) => {
  const parts = useLoad(async () => {
    const [agents, lines] = await Promise.all([api().agents.list(), api().lines.list()])
    return {
      choices: agents.items.flatMap(({ app_id, name, versions }) =>
        versions.filter(({ committed }) => committed).map(({ app_version }) => ({ app_id, app_version, title: `${name ?? app_id}, version ${app_version}` }))
      ),
      numbers: lines.items.flatMap(({ connection_id, phone_numbers }) => phone_numbers.map((number) => ({ connection_id, number })))
    }
  }, [])
  const name = useSignal("")
  const agent = useSignal("0")
  const chosen = useSignal<ReadonlyArray<string>>([])
  const hasHours = useSignal(false)
  const schedule = useSignal(usualSchedule)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const { data } = parts.state.value
  const choice = data?.choices[Number(agent.value)]
  const create = async () => {
    if (data === undefined || choice === undefined) return
    const numbers = data.numbers.filter(({ number }) => chosen.value.includes(number))
    const { allowed_days, allowed_end_time, allowed_start_time, timezone } = schedule.value
    failure.value = undefined
    try {
      await api().deployments.create({
        name: name.value.trim(),
        app_id: choice.app_id,
        app_version: choice.app_version,
        connection_configs: [...new Set(numbers.map(({ connection_id }) => connection_id))].map((connection_id) => ({
          connection_id,
          phone_numbers: numbers.filter((each) => each.connection_id === connection_id).map(({ number }) => number)
        })),
        ...(hasHours.value && {
          inbound_config: { start_time: allowed_start_time, end_time: allowed_end_time, allowed_days, ...(timezone !== undefined && { timezone }) }
        })
      })
      reportDone(`${name.value.trim()} answers its numbers`)
      onDone()
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const issues = failure.value?.issues ?? []
  return (
    <Dialog
      title="New deployment"
      onClose={onClose}
      footer={
        <Button kind="primary" disabled={name.value.trim() === "" || choice === undefined || chosen.value.length === 0} onClick={create}>
          Answer calls
        </Button>
      }
    >
      <FailureNote failure={failure.value ?? parts.state.value.failure} />
      {data === undefined && parts.state.value.failure === undefined && <Skeleton />}
      {data && (
        <>
          <Field label="Name" path="name" issues={issues}>
            <input class="input" type="text" maxLength={50} placeholder="Front desk" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
          </Field>
          <Field label="Agent" hint="Only committed versions answer." path="app_id" issues={issues}>
            <select class="input" value={agent.value} onChange={(event) => (agent.value = event.currentTarget.value)}>
              {data.choices.map(({ title }, index) => <option key={title} value={index}>{title}</option>)}
            </select>
          </Field>
          <div class="tight" role="group" aria-label="Numbers">
            <h3>Numbers that it answers</h3>
            {data.numbers.length === 0 && <p class="small muted">No line has a number. Lines are named in the server's configuration.</p>}
            <div class="choices">
              {data.numbers.map(({ number }) => (
                <label key={number} class="choice">
                  <input
                    type="checkbox"
                    checked={chosen.value.includes(number)}
                    onChange={() => {
                      chosen.value = chosen.value.includes(number) ? chosen.value.filter((each) => each !== number) : [...chosen.value, number]
                    }}
                  />
                  {number}
                </label>
              ))}
            </div>
          </div>
          <label class="switch">
            <input type="checkbox" checked={hasHours.value} onChange={() => (hasHours.value = !hasHours.value)} />
            Only within hours
          </label>
          {hasHours.value && <ScheduleFields value={schedule.value} onChange={(value) => (schedule.value = value)} issues={issues} />}
        </>
      )}
    </Dialog>
  )
}
