import { setTimeout as delay } from 'node:timers/promises';
import { taskRoutes } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, callApi, downloadFromApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { tokenOf } from '../../session/visitor.server';
import { DOWNLOAD_FORMATS, type DownloadFormat, isDownloadFormat } from '../downloads/download-view';
import { trackOperation } from '../telemetry/operations.server';

/** Encoding takes well under a second for each photo; the rest is time in the queue. */
const TIMEOUT_MS = 20_000;
const PAUSE_MS = 500;

export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const part = z.coerce.number().int().min(1).safeParse(searchParams.get('part')).data;
  const chosen = { format: searchParams.get('format'), part };
  const caller = await callerOf({ request, context });
  return track(caller, () => archiveOf(params.bulkUploadId ?? '', chosen, caller));
}

const archiveForm = z.object({ format: z.enum(Object.keys(DOWNLOAD_FORMATS) as DownloadFormat[]) });

/** Encodes the photos in the chosen format before they are downloaded. */
export async function action({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  const { format } = await readForm(request, context, archiveForm);
  const bulkUploadId = params.bulkUploadId ?? '';
  const caller = await callerOf({ request, context });
  return track(caller, async () => {
    await callApi(taskRoutes.createBulkUploadArchive, { params: { bulkUploadId }, body: formatOf(format) }, caller);
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      try {
        return await archiveOf(bulkUploadId, { format }, caller);
      } catch (error) {
        const isToCome = error instanceof ApiError && error.code === 'service.unavailable' && Date.now() < deadline;
        if (!isToCome) throw error;
        await delay(PAUSE_MS, undefined, { signal: request.signal });
      }
    }
  });
}

type Visit = Pick<LoaderFunctionArgs, 'request' | 'context'>;
type Caller = Visit & { readonly token: string };

async function callerOf({ request, context }: Visit): Promise<Caller> {
  const token = await tokenOf(request, context);
  if (!token) throw ApiError.of('bulk_uploads.not_found', context.requestId);
  return { request, context, token };
}

const track = (visit: Visit, open: () => Promise<Response>): Promise<Response> =>
  trackOperation({ kind: 'download', details: { file: 'archive' } }, visit, open);

function formatOf(format: DownloadFormat) {
  const { name: _, ...fields } = DOWNLOAD_FORMATS[format];
  return fields;
}

interface Chosen {
  readonly format: string | null;
  /** Absent: all. */
  readonly part?: number | undefined;
}

const archiveOf = (bulkUploadId: string, { format, part }: Chosen, caller: Caller): Promise<Response> =>
  downloadFromApi(
    taskRoutes.downloadBulkUploadArchive,
    { params: { bulkUploadId }, query: { ...(isDownloadFormat(format) && formatOf(format)), part } },
    caller,
  );
