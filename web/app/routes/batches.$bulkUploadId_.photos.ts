import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { batchAddress } from '../session/photos/task-addresses';

export { addPhotos as action } from '../features/batch/server/add-photos.server';

/** Reached after a login that interrupted the form. */
export const loader = ({ params }: LoaderFunctionArgs) => redirect(batchAddress(params.bulkUploadId ?? ''), 303);
