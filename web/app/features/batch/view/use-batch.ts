import { useCallback, useRef, useState } from 'react';
import { usePolling } from '../../tasks/processing/use-polling';
import type { Transfers } from '../../upload/transfers/transfers';
import { type BatchView, isPending, withTransfers } from './batch-view';

const TIMEOUT_MS = 10_000;

/** A batch that is refreshed while its photos are uploaded or processed. */
export function useBatch(initial: BatchView, transfers: Transfers) {
  const [state, setState] = useState({ initial, batch: initial });
  const [isDelayed, setDelayed] = useState(false);
  const pending = useRef<Promise<void> | null>(null);
  /** Incremented when the page loads newer data: responses to earlier requests are outdated. */
  const version = useRef(0);
  if (state.initial !== initial) {
    version.current += 1;
    setState({ initial, batch: initial });
  }
  const { bulkUploadId } = initial;

  const refresh = useCallback((): Promise<void> => {
    const { current } = version;
    pending.current ??= fetchBatch(bulkUploadId)
      .then(
        (batch) => {
          setDelayed(false);
          if (version.current === current) setState((shown) => ({ ...shown, batch }));
        },
        () => setDelayed(true),
      )
      .finally(() => {
        pending.current = null;
      });
    return pending.current;
  }, [bulkUploadId]);

  const batch = withTransfers(state.initial === initial ? state.batch : initial, transfers);
  // A thumbnail is encoded just after its photo.
  const isChanging = batch.photos.some((photo) => isPending(photo) || (photo.output && !photo.display.thumbnailUrl));
  usePolling(refresh, isChanging);
  return { batch, isDelayed, refresh };
}

/** Reloads the page when the batch is deleted or the session has ended: the page explains. */
async function fetchBatch(bulkUploadId: string): Promise<BatchView> {
  const response = await fetch(`/batches/${bulkUploadId}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 404 || response.status === 401) window.location.reload();
  if (!response.ok) throw new Error(`fetching the batch failed with status ${response.status}`);
  return (await response.json()) as BatchView;
}
