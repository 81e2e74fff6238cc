import { taskRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { ApiError, downloadFromApi } from '../../http/api.server';
import { tokenOf } from '../../session/visitor.server';
import { DOWNLOAD_FORMATS, isDownloadFormat } from '../downloads/download-view';
import { trackOperation } from '../telemetry/operations.server';

function queryOf(format: string | null) {
  if (!isDownloadFormat(format)) return {};
  const { name: _, ...query } = DOWNLOAD_FORMATS[format];
  return query;
}

export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  const bulkUploadId = params.bulkUploadId ?? '';
  const token = await tokenOf(request, context);
  if (!token) throw ApiError.of('bulk_uploads.not_found', context.requestId);
  return trackOperation({ kind: 'download', details: { file: 'archive' } }, { request, context }, () =>
    downloadFromApi(
      taskRoutes.archiveBulkUpload,
      { params: { bulkUploadId }, query: queryOf(new URL(request.url).searchParams.get('format')) },
      { context, request, token },
    ),
  );
}
