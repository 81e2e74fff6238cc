import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../features/modals/modal-page';
import { UploadErrorModal } from '../features/upload/error/upload-error';
import {
  FILES_PER_UPLOAD,
  isUploadErrorReason,
  UPLOAD_ERROR_MESSAGES,
} from '../features/upload/error/upload-error-reasons';
import { throwPageFor } from '../http/problem.server';
import { translatorFor } from '../i18n/i18n.server';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { reason } = params;
  if (!isUploadErrorReason(reason)) return throwPageFor('request.not_found', context);
  const t = await translatorFor(request, 'common');
  return { reason, title: t(`${UPLOAD_ERROR_MESSAGES[reason]}.title`, { left: FILES_PER_UPLOAD }) };
}

export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function UploadErrorPage() {
  const { reason } = useLoaderData<typeof loader>();
  return <ModalPage modal="upload:error" with={{ reason }} body={UploadErrorModal} />;
}
