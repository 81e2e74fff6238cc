/** The part of a BullMQ worker that {@link watchConnections} uses. */
interface ConnectingWorker {
  waitUntilReady(): Promise<unknown>;
}

/**
 * Returns whether all connections of a worker of BullMQ have been open. Before, it has no job, and has to be closed by
 * force: `close` would wait for ever for a connection that was lost while it opened, because ioredis keeps its first
 * command for another attempt and at shutdown makes none.
 */
export function watchConnections(worker: ConnectingWorker): () => boolean {
  let haveOpened = false;
  worker.waitUntilReady().then(
    () => {
      haveOpened = true;
    },
    () => undefined,
  );
  return () => haveOpened;
}
