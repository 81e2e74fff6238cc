import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../features/modals/modal-page';
import { isUploadErrorReason, uploadErrorIn } from '../features/upload/decision/read-upload-error';
import { errorTexts } from '../features/upload/error/error-texts';
import { UploadErrorModal } from '../features/upload/error/upload-error';
import { throwPageFor } from '../http/problem.server';
import { translatorFor } from '../i18n/i18n.server';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { reason } = params;
  if (!isUploadErrorReason(reason)) return throwPageFor('request.not_found', context);
  const error = uploadErrorIn(reason, new URL(request.url).searchParams);
  return { error, title: errorTexts(error, await translatorFor(request, 'common')).title };
}

export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function UploadErrorPage() {
  const { error } = useLoaderData<typeof loader>();
  return <ModalPage modal="upload:error" with={error} body={UploadErrorModal} />;
}
