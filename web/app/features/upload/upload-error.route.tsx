import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { errorTexts } from './error-texts';
import { isUploadErrorReason, uploadErrorIn } from './read-upload-error';
import { UploadErrorModal } from './upload-error-modal';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { reason } = params;
  if (!isUploadErrorReason(reason)) return throwPageFor('request.not_found', context);
  const error = uploadErrorIn(reason, new URL(request.url).searchParams);
  return { error, title: errorTexts(error, await translatorFor(request, 'common')).title };
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function UploadErrorPage() {
  const { error } = useLoaderData<typeof loader>();
  return <ModalPage modal="upload:error" with={error} body={UploadErrorModal} />;
}
