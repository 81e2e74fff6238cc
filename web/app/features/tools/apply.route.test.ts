import { json } from 'node:stream/consumers';
import { type ErrorCode, ROLES, type Role, toWire, User } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { answerOf } from '../../../test/answers';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { formRequest } from '../../../test/forms';
import { ADA, memberCookie, newGuestCookie } from '../../../test/users';
import { BULK_UPLOAD_ID, bulkUpload, TASK_ID, task } from '../../../test/wire';
import { action } from './apply.route';
import { choicesOf, fieldsOf, TOOLS, type Tool, withTool } from './choices';
import { toolsForm } from './tools-form';

/** Decisions, section 2. */
const REQUIRED: Readonly<Record<Tool, (model: string) => readonly Role[]>> = {
  repair: (model) => (model === 'base' ? ROLES : ['personal', 'business']),
  faceEnhance: (model) => (model === 'base' ? ROLES : ['personal', 'business']),
  backgroundEnhance: (model) => (model === 'base' ? ROLES : ['personal', 'business']),
  bokeh: () => ['personal', 'business'],
  fade: (model) => (model === 'base' ? ROLES : ['personal', 'business']),
  faceLifting: () => ['business'],
  colorEnhance: () => ['business'],
};

const NO_TOOLS = choicesOf({});
const modelsOf = (tool: Tool): readonly string[] => toolsForm.shape[tool].unwrap().options;

interface Sent {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** A backend of a visitor with this role; `refusals` are the answers to the first orders. */
async function visitorOf(role: Role, refusals: ErrorCode[] = []) {
  const sent: Sent[] = [];
  const me = toWire(User, { ...ADA, role, isGuest: role === 'guest' });
  const backend = await startBackend(async (request, response) => {
    const path = (request.url ?? '').replace('/api/v1/web', '');
    if (request.method === 'GET') return sendJson(response, 200, me);
    if (path === '/users') return sendJson(response, 201, { access_token: 'token' });
    const body = request.headers['content-type'] ? ((await json(request)) as Record<string, unknown>) : {};
    sent.push({ path, body });
    const refusal = path.endsWith('/cancel') ? undefined : refusals.shift();
    if (refusal) return sendProblem(response, refusal);
    if (path.endsWith('/cancel')) return sendJson(response, 200, task());
    if (path.endsWith('/override')) return sendJson(response, 200, me);
    return sendJson(response, 202, bulkUpload());
  });
  const context = contextFor(backend.url);
  const cookie = await newGuestCookie(context);
  const post = ({ accept = '', ...fields }: Record<string, string>): Promise<Response> => {
    const body = { taskId: TASK_ID, bulkUploadId: BULK_UPLOAD_ID, ...fields };
    const request = formRequest('/result/tools', body, cookie, accept);
    return answerOf(action, { request, context, params: {} });
  };
  return { post, sent };
}

const BY_SCRIPT = { accept: 'application/json', replaces: 'yes' };
const GOLDEN = { colorEnhance: 'golden' };

it.each(ROLES.flatMap((role) => TOOLS.map((tool) => ({ role, tool }))))(
  '$role applies every model of $tool: as a preview where the plan lacks it',
  async ({ role, tool }) => {
    const { post, sent } = await visitorOf(role);
    for (const model of modelsOf(tool).filter((one) => one !== 'custom')) {
      const response = await post({ ...fieldsOf(withTool(NO_TOOLS, tool, { model })), ...BY_SCRIPT });
      const isPreview = !REQUIRED[tool](model).includes(role);
      expect(await response.json()).toEqual({ isPreview, isTooLate: false });
      const [order] = sent.splice(0);
      expect(order?.path).toBe(`/tasks/bulk-upload/${BULK_UPLOAD_ID}/reprocess`);
      const name = tool.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
      expect(order?.body.input_reprocess_list).toEqual([
        { client_task_id: TASK_ID, ai_pipeline: { [name]: { model } }, preview: isPreview, keep_location: false },
      ]);
    }
  },
);

it('sends strengths, enlarging and the location', async () => {
  const { post, sent } = await visitorOf('business');
  await post({
    faceEnhanceOn: 'yes',
    faceEnhance: 'v2',
    faceEnhanceStrength: '35',
    backgroundEnhance: 'v1',
    bokeh: '',
    upscale: '2',
    keepLocation: 'yes',
    ...BY_SCRIPT,
  });
  expect(sent[0]?.body.input_reprocess_list).toMatchObject([
    { ai_pipeline: { face_enhance: { model: 'v2', strength: 0.35 }, upscale: { factor: 2 } }, keep_location: true },
  ]);
});

it('replaces a run in progress for the script', async () => {
  const { post, sent } = await visitorOf('business', ['tasks.wrong_state']);
  const response = await post({ ...GOLDEN, ...BY_SCRIPT });
  expect(response.status).toBe(200);
  expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(['reprocess', 'cancel', 'reprocess']);
});

it.each<ErrorCode>(['tasks.wrong_state', 'pipeline.not_in_plan', 'queue.full'])(
  'responds to a script with the error %s, and without it redirects to a page that shows it',
  async (code) => {
    const { post } = await visitorOf('business', [code, code]);
    const answer = await post({ ...GOLDEN, accept: 'application/json' });
    expect(await answer.json()).toMatchObject({ problem: { code } });
    const page = await post({ ...GOLDEN, outputId: TASK_ID });
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe(`/result?taskId=${TASK_ID}&outputId=${TASK_ID}&toolsProblem=${code}`);
  },
);

it('without a script it returns to the newest result', async () => {
  const { post } = await visitorOf('guest');
  const response = await post(GOLDEN);
  expect(response.headers.get('location')).toBe(`/result?taskId=${TASK_ID}&outputId=latest`);
});

it('saves the default', async () => {
  const { post, sent } = await visitorOf('business');
  const response = await post({ ...GOLDEN, keepLocation: 'yes', intent: 'saveDefault' });
  expect(response.headers.get('location')).toContain('saved=yes');
  expect(sent).toEqual([
    {
      path: '/users/@me/preferences/override',
      body: { preferences: { default_ai_pipeline: { color_enhance: { model: 'golden' } }, keep_location: true } },
    },
  ]);
});

it('cancels the run', async () => {
  const { post, sent } = await visitorOf('guest');
  await post({ intent: 'cancel', ...BY_SCRIPT });
  expect(sent.map(({ path }) => path)).toEqual([`/tasks/${TASK_ID}/cancel`]);
});

it('a forged model is the page of an invalid request', async () => {
  const { post, sent } = await visitorOf('guest');
  const page = await post({ colorEnhance: 'neon' }).catch((thrown: unknown) => thrown);
  expect(page).toMatchObject({ status: 422 });
  expect(sent).toEqual([]);
});

it('leaves an ended session to the page of a script, which starts the login', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'users.not_authorized'));
  const context = contextFor(backend.url);
  const fields = { taskId: TASK_ID, bulkUploadId: BULK_UPLOAD_ID, replaces: 'yes' };
  const request = formRequest('/result/tools', fields, await memberCookie(context), 'application/json');
  const response = await answerOf(action, { request, context, params: {} });
  expect(response.status).toBe(401);
  expect(context.cookies).toEqual([]);
});
