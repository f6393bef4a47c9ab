import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import { addressOf, navigate, place } from "../state/location.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { Dialog } from "../ui/Dialog.js"
import { Field } from "../ui/Field.js"
import { Link } from "../ui/Link.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { Time } from "../ui/Time.js"
import { BoardPage } from "./BoardPage.js"

const NewBoard = ({ onClose }: { readonly onClose: () => void }) => {
  const name = useSignal("")
  const create = async () => {
    const { id } = await api().boards.create({ name: name.value })
    onClose()
    navigate(addressOf(["boards", id]))
  }
  return (
    <Dialog
      title="New board"
      onClose={onClose}
      footer={<Button kind="primary" disabled={name.value.trim() === ""} onClick={create}>Create</Button>}
    >
      <Field label="Name">
        <input class="input" type="text" maxLength={60} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
      </Field>
    </Dialog>
  )
}

const BoardList = () => {
  const { reload, state } = useLoad(() => api().boards.list(), [])
  const isAdding = useSignal(false)
  const { data, failure } = state.value
  return (
    <>
      <PageHead title="Boards">
        {canChange.value && <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>New board</Button>}
      </PageHead>
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={4} />}
      {data && data.items.length === 0 && (
        <Card>
          <Empty title="No board yet">
            <p>A board shows figures of your calls, each from one SQL query over the calls of this workspace.</p>
            {canChange.value && <Button kind="primary" onClick={() => (isAdding.value = true)}>Create the first</Button>}
          </Empty>
        </Card>
      )}
      {data && (
        <div class="grid">
          {data.items.map((board) => (
            <Card key={board.id} title={<Link to={addressOf(["boards", board.id])}>{board.name}</Link>}>
              <p class="small muted">{board.tag ?? "No tag"} · changed <Time iso={board.updated_at} /></p>
            </Card>
          ))}
        </div>
      )}
      {isAdding.value && <NewBoard onClose={() => (isAdding.value = false)} />}
    </>
  )
}

/** The boards, or one of them, by the address. */
export const BoardPages = () => {
  const [id] = place.value.parts
  return id === undefined ? <BoardList /> : <BoardPage key={id} id={id} />
}
