/** What commands need from the outside world. main.ts supplies it; each part is loaded when it is first asked for. */
import type { EventLog } from '../ports/event-log.ts'
import type { Machine } from '../ports/machine.ts'

export interface Parts {
  machine(): Promise<Machine>
  /** Opens the log of the state root; whoever asks for it closes it. */
  openLog(): Promise<EventLog>
}
