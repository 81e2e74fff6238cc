import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { batchAddress } from '../../session/task-addresses';

export { addPhotos as action } from './add-photos.server';

/** Reached after a login that interrupted the form. */
export const loader = ({ params, request }: LoaderFunctionArgs) =>
  redirect(preserveVersionParam(batchAddress(params.bulkUploadId ?? ''), new URL(request.url).search), 303);
