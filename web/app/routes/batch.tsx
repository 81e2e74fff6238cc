import { useActionData, useLoaderData } from '@remix-run/react';
import { AccountFlash } from '../features/account/account-flash';
import { Batch } from '../features/batch/batch';
import { MissingBatch } from '../features/batch/missing-batch';
import { loadBatch } from '../features/batch/server/batch.server';
import { changeBatch } from '../features/batch/server/batch-forms.server';

interface Loaded {
  readonly batch: object | null;
  readonly isRefreshing: boolean;
}

export const handle = {
  i18n: ['processing', 'account'],
  showsDeletionDate: true,
  isStage: (loaded: Loaded) => loaded.batch !== null,
  refreshesWithoutScript: (loaded: Loaded | undefined) => loaded?.isRefreshing ?? false,
};
export const loader = loadBatch;
export const action = changeBatch;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function BatchPage() {
  const { batch, lookOf, isAdding, problem, flash } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (!batch) return <MissingBatch />;
  return (
    <Batch
      key={batch.bulkUploadId}
      batch={batch}
      lookOf={lookOf}
      isAdding={isAdding}
      problem={answer?.problem ?? problem}
      isSameLook={answer?.isSameLook ?? false}
      notice={<AccountFlash flash={flash} />}
    />
  );
}
