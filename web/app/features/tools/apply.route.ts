import { type AiPipeline, lockedTool, resultRoutes, userRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { isByScript, seeOther } from '../../http/answer.server';
import { type ApiError, callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError } from '../../http/problem.server';
import { tutorialCookie } from '../../session/preferences.server';
import { resultAddress } from '../../session/task-addresses';
import { asVisitor } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';
import { cancelTask } from '../tasks/task.server';
import type { Applied } from './apply-queue';
import { pipelineOf, type ToolsForm, toolsForm } from './tools-form';

interface Call {
  readonly context: AppLoadContext;
  readonly request: Request;
  readonly token: string;
}

/**
 * Tools that the plan doesn't include are applied as a preview. Redirects forms to the result; scripts get {@link
 * Applied}.
 */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(request, context, toolsForm);
  const isScript = isByScript(request);
  try {
    const work = (token: string) => act(form, { context, request, token });
    const { result } = await asVisitor({ request, context }, work, { keepsSession: isScript });
    if (isScript) return Response.json(result);
    return redirect(pageOf(form, request, answerParameters(form)), 303);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (isScript || problem.code === 'users.not_authorized') throw problem;
    return redirect(pageOf(form, request, problemParameters(form, problem)), 303);
  }
}

function act(form: ToolsForm, call: Call): Promise<Applied> {
  switch (form.intent) {
    case 'apply':
      return reprocess(form, call);
    case 'saveDefault':
      return saveDefault(form, call);
    case 'cancel':
      return cancel(form.taskId, call);
    case 'dismissTutorial':
      return dismissTutorial(call.context);
  }
}

async function reprocess(form: ToolsForm, call: Call): Promise<Applied> {
  const aiPipeline = pipelineOf(form);
  const { role } = await callApi(userRoutes.getCurrentUser, {}, call);
  const isLarge = aiPipeline.outputSize === 'original';
  const isUncapped = isLarge && (await settingsOf(call.request, call.context)).removeCap;
  const isPreview = lockedTool(role, aiPipeline, isUncapped) !== null;
  const order = () => sendOrder(form, aiPipeline, isPreview, call);
  try {
    await order();
  } catch (error) {
    const isRunning = asApiError(error, call).code === 'tasks.wrong_state';
    if (!isRunning || form.replaces === undefined) throw error;
    await cancel(form.taskId, call);
    await order();
  }
  return { isPreview, isTooLate: false };
}

const sendOrder = (form: ToolsForm, aiPipeline: AiPipeline, preview: boolean, call: Call) =>
  callApi(
    resultRoutes.reprocessTasks,
    {
      params: { bulkUploadId: form.bulkUploadId },
      body: {
        inputReprocessList: [
          { clientTaskId: form.taskId, aiPipeline, preview, keepLocation: form.keepLocation !== undefined },
        ],
      },
    },
    call,
  );

/** A run that has just ended need not be cancelled. */
async function cancel(taskId: string, call: Call): Promise<Applied> {
  try {
    await cancelTask(taskId, call.request, call.context);
    return { isPreview: false, isTooLate: false };
  } catch (error) {
    if (asApiError(error, call).code !== 'tasks.wrong_state') throw error;
    return { isPreview: false, isTooLate: true };
  }
}

async function saveDefault(form: ToolsForm, call: Call): Promise<Applied> {
  const preferences = { defaultAiPipeline: pipelineOf(form), keepLocation: form.keepLocation !== undefined };
  await callApi(userRoutes.updatePreferences, { body: { preferences } }, call);
  return { isPreview: false, isTooLate: false };
}

async function dismissTutorial(context: AppLoadContext): Promise<Applied> {
  await tutorialCookie.write('read', context);
  return { isPreview: false, isTooLate: false };
}

/** Parameters of the result page for visitors without JavaScript. */
function answerParameters({ intent, outputId }: ToolsForm): Record<string, string> {
  if (intent === 'apply') return { outputId: 'latest' };
  return { ...shownIn(outputId), ...(intent === 'saveDefault' ? { saved: 'yes' } : {}) };
}

const problemParameters = ({ outputId }: ToolsForm, { code }: ApiError): Record<string, string> => ({
  ...shownIn(outputId),
  toolsProblem: code,
});

const shownIn = (outputId: string | undefined): Record<string, string> => (outputId ? { outputId } : {});

/** Without a fragment: a page whose address has one isn't refreshed. */
const pageOf = ({ taskId }: ToolsForm, request: Request, parameters: Record<string, string>): string =>
  preserveVersionParam(resultAddress(taskId, parameters), new URL(request.url).search);

/** Reached after a login that interrupted the form. */
export const loader = ({ request }: LoaderFunctionArgs) => seeOther('/history', request);
