import { usePolling } from '../../tasks/processing/use-polling';
import { useRefreshed } from '../../tasks/task/use-refreshed';
import type { Transfers } from '../../upload/transfers/transfers';
import { type BatchView, isPending, withTransfers } from './batch-view';

export function useBatch(initial: BatchView, transfers: Transfers) {
  const { view, ...state } = useRefreshed(initial, `/batches/${initial.bulkUploadId}`);
  const batch = withTransfers(view, transfers);
  // A thumbnail is encoded just after its photo.
  const isChanging = batch.photos.some((photo) => isPending(photo) || (photo.output && !photo.display.thumbnailUrl));
  usePolling(state.refresh, isChanging);
  return { batch, ...state };
}
