import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';

/** The whole product has eight seconds to end, and these connections are closed one after the other. */
const PATIENCE_MS = inMilliseconds.seconds(1.5);

/** A connection of BullMQ's. Closing it in good order needs Redis to answer. */
interface Closable {
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Closes in good order, or just hangs up when Redis does not answer: nothing is lost by it, the sweep sees to that. */
export async function closeWithin(connection: Closable): Promise<void> {
  const patience = new AbortController();
  const closing = connection.close().catch(() => undefined);
  const giveUp = delay(PATIENCE_MS, undefined, { signal: patience.signal }).then(
    () => void connection.disconnect().catch(() => undefined),
    () => undefined,
  );
  await Promise.race([closing, giveUp]);
  patience.abort();
}
