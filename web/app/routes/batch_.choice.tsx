import { useLoaderData } from '@remix-run/react';
import { BatchChoice } from '../features/batch/batch-choice';
import { chooseBatch, loadBatchChoice } from '../features/batch/server/batch-choice.server';

export const loader = loadBatchChoice;
export const action = chooseBatch;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function BatchChoicePage() {
  return <BatchChoice {...useLoaderData<typeof loader>()} />;
}
