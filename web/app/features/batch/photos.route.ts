import { type ErrorCode, INVALID_CODES, MAX_FILES_PER_UPLOAD, type UploadTarget } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import type { Caller } from '../../http/api.server';
import { ApiError } from '../../http/api.server';
import { asApiError } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { batchAddress } from '../../session/task-addresses';
import { tokenOf } from '../../session/visitor.server';
import { type IncomingFile, MalformedFormError, readFiles } from '../upload/multipart.server';
import { sendBytes } from '../upload/send-bytes.server';
import { cancelUpload, requestAddition, startProcessing } from '../upload/upload.server';

/** Reached after a login that interrupted the form. */
export const loader = ({ params, request }: LoaderFunctionArgs) =>
  seeOther(batchAddress(params.bulkUploadId ?? ''), request);

/** Adds the files of a form to a batch; for browsers without JavaScript. A refused file doesn't stop the others. */
export async function action({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  const bulkUploadId = params.bulkUploadId ?? '';
  const caller = { context, request, token: await tokenOf(request, context) };
  const problem = await addFiles(bulkUploadId, caller);
  if (problem === 'users.not_authorized') throw ApiError.of(problem, context.requestId);
  await rememberRunning({ request, context });
  return seeOther(batchAddress(bulkUploadId, problem ? { problem } : {}), request);
}

type PageCaller = Caller & { readonly request: Request };

/** Returns the first problem that no photo of the batch shows. */
async function addFiles(bulkUploadId: string, caller: PageCaller) {
  try {
    const add = (file: IncomingFile) => addFile(bulkUploadId, file, caller);
    const { results } = await readFiles(caller.request, MAX_FILES_PER_UPLOAD, add);
    return results.length === 0 ? 'uploads.missing' : (results.find((code) => code !== null) ?? null);
  } catch (error) {
    return error instanceof MalformedFormError ? 'uploads.incomplete' : asApiError(error, caller).code;
  }
}

async function addFile(bulkUploadId: string, file: IncomingFile, caller: PageCaller): Promise<ErrorCode | null> {
  let target: UploadTarget | undefined;
  try {
    [target] = (await requestAddition(bulkUploadId, [file], caller)).targets;
    if (!target) return 'service.internal';
    await sendBytes(target, file.bytes, caller.context);
    await startProcessing(bulkUploadId, target.taskId, caller);
    return null;
  } catch (error) {
    if (error instanceof MalformedFormError) {
      if (target) await cancelUpload(target.taskId, caller);
      throw error;
    }
    const { code } = asApiError(error, caller);
    // The photo shows why its file was refused.
    if (target && INVALID_CODES.some((known) => known === code)) return null;
    if (target) await cancelUpload(target.taskId, caller);
    return code;
  }
}
