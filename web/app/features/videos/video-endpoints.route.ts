import { BackgroundEnhance, ColorEnhance, FaceEnhance, videoRoutes } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { type Caller, callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { asApiError } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { videoAddress } from '../../session/task-addresses';
import { tokenOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import { PROCESS_TIMEOUT_MS } from '../upload/upload.server';
import { readVideo } from './video.server';

export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  return Response.json(await readVideo(params.taskId ?? '', request, context));
}

/** Absent or empty: off. A tool that the plan lacks is disabled, hence absent. */
const choice = <Model extends string>({ shape: { model } }: { shape: { model: z.ZodType<Model> } }) =>
  z.preprocess((value) => (value === '' ? undefined : value), model.optional());

const videoForm = z.object({
  intent: z.enum(['cancel', 'retry', 'tools']),
  faceEnhance: choice(FaceEnhance),
  backgroundEnhance: choice(BackgroundEnhance),
  colorEnhance: choice(ColorEnhance),
});
type VideoForm = z.infer<typeof videoForm>;

function change(taskId: string, form: VideoForm, caller: Caller & { readonly request: Request }) {
  const params = { videoTaskId: taskId };
  if (form.intent === 'cancel')
    return trackOperation({ kind: 'cancel', details: { what: 'processing' } }, caller, () =>
      callApi(videoRoutes.cancelVideoTask, { params }, caller),
    );
  if (form.intent === 'retry') return callApi(videoRoutes.processVideoTask, { params }, caller);
  const { faceEnhance, backgroundEnhance, colorEnhance } = form;
  const aiPipeline = {
    ...(faceEnhance && { faceEnhance: { model: faceEnhance } }),
    ...(backgroundEnhance && { backgroundEnhance: { model: backgroundEnhance } }),
    ...(colorEnhance && { colorEnhance: { model: colorEnhance } }),
  };
  return callApi(videoRoutes.reprocessVideoTask, { params, body: { aiPipeline } }, caller);
}

/** Cancels, tries again or enhances again, and returns to the video's page. */
export async function action({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  const { taskId = '' } = params;
  const form = await readForm(request, context, videoForm);
  let address = videoAddress(taskId);
  try {
    const token = await tokenOf(request, context);
    await change(taskId, form, { context, request, token, timeoutMs: PROCESS_TIMEOUT_MS });
    if (form.intent !== 'cancel') await rememberRunning({ request, context });
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (problem.code === 'users.not_authorized') throw problem;
    // It has finished, or was started elsewhere: the page shows its state.
    if (problem.code !== 'tasks.wrong_state') address += `&problem=${problem.code}`;
  }
  return seeOther(address, request);
}
