/** Goes from one failed or pending call to the next, and opens the block that it is in. */
import type { Status } from '../../src/protocol';
import type { TranscriptView } from './transcriptView';

interface Call {
  message: number;
  /** Its batch among those of the message. */
  block: number;
  entry: number;
}

/** A function that shows the next call of a status, from the first one again after the last. */
export function followFailures(view: TranscriptView): (status: Status) => void {
  const last = new Map<Status, number>();
  return (status) => {
    const calls = callsOf(view, status);
    if (calls.length > 0) {
      const next = ((last.get(status) ?? -1) + 1) % calls.length;
      last.set(status, next);
      show(view, calls[next]);
    }
  };
}

function callsOf(view: TranscriptView, status: Status): Call[] {
  return view.messages.flatMap(({ data }, message) => {
    const batches = data.items.filter((item) => item.kind === 'tools');
    return batches.flatMap(({ entries }, block) =>
      entries.flatMap((entry, index) => (entry.status === status ? [{ message, block, entry: index }] : [])),
    );
  });
}

function show(view: TranscriptView, call: Call | undefined): void {
  const message = call && view.messages[call.message];
  message?.draw();
  const tools = call && message?.tools()[call.block];
  tools?.setOpen(true);
  const target = call && tools?.element.querySelectorAll<HTMLElement>('.call')[call.entry];
  target?.scrollIntoView({ block: 'center' });
  target?.focus({ preventScroll: true });
}
