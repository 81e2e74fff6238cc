import { type FaceReport, RECIPE_VERSION, type Recipe } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { newGuestCookie } from '../../../test/users';
import { NO_DISPLAY, output, TASK_ID, task } from '../../../test/wire';
import { loadTask, notesOf, untouchedReasonOf } from './task.server';

async function visit(status: number, body: unknown) {
  const backend = await startBackend((request, response) => {
    if (request.url?.endsWith('/users')) sendJson(response, 201, { access_token: 'guest' });
    else sendJson(response, status, body);
  });
  const context = contextFor(backend.url);
  const cookie = await newGuestCookie(context);
  return { context, request: new Request('http://clearframe.test/processing', { headers: { cookie } }) };
}

const load = async (changes: Record<string, unknown>) => {
  const { context, request } = await visit(200, task(changes));
  return loadTask(TASK_ID, request, context);
};

test.each([
  [{ status: 'started' }, { kind: 'uploading' }],
  [
    { status: 'processing', queue_wait_num: 3 },
    { kind: 'waiting', place: 3 },
  ],
  [
    { status: 'processing', queue_wait_num: null },
    { kind: 'waiting', place: null },
  ],
  [
    { status: 'processing', queue_wait_num: 0, progress: 0.4 },
    { kind: 'working', progress: 0.4 },
  ],
  [
    { status: 'failed', error_code: 'tasks.timed_out' },
    { kind: 'failed', code: 'tasks.timed_out' },
  ],
  [
    { status: 'invalid', error_code: 'from.the.future' },
    { kind: 'invalid', code: 'tasks.failed' },
  ],
  [{ status: 'cancelled' }, { kind: 'cancelled' }],
  [{ status: 'exported' }, { kind: 'done' }],
])('%o is shown as %o', async (changes, state) => {
  expect((await load(changes)).state).toEqual(state);
});

test('the remaining time is that of a run', async () => {
  const remaining = async (status: string) => (await load({ status, remaining_seconds: 12 })).remainingSeconds;
  expect(await remaining('processing')).toBe(12);
  expect(await remaining('reprocessing')).toBe(12);
  expect(await remaining('completed')).toBeNull();
});

test('a task whose only file is being encoded for a changed plan is still in work', async () => {
  expect((await load({ status: 'completed', result: { outputs: [output({ url: null })] } })).state).toEqual({
    kind: 'working',
    progress: 1,
  });
  expect((await load({ status: 'completed', result: { outputs: [output({})] } })).state).toEqual({ kind: 'done' });
});

test('URLs of our own origin become relative, so that pages work under any host', async () => {
  const { display } = await load({
    display: { ...NO_DISPLAY, input_url: 'http://clearframe.test/media/1?signature=a' },
  });
  expect(display.inputUrl).toBe('/media/1?signature=a');
});

test('URLs of other origins stay absolute', async () => {
  const { display } = await load({ display: { ...NO_DISPLAY, input_url: 'https://store.test/1?x=y' } });
  expect(display.inputUrl).toBe('https://store.test/1?x=y');
});

const thrown = (work: Promise<unknown>): Promise<Response> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error) => error as Response,
  );

test('another user’s task is not found', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'tasks.not_found'));
  const page = await thrown(loadTask(TASK_ID, new Request('http://clearframe.test/'), contextFor(backend.url)));
  expect(page.status).toBe(404);
});

test('a malformed id is not found', async () => {
  const { context, request } = await visit(200, task());
  expect((await thrown(loadTask('../users', request, context))).status).toBe(404);
});

test('an ended guest session responds with 401 and sets a new guest', async () => {
  const ended = {
    type: '',
    title: '',
    status: 401,
    error_code: 'users.not_authorized',
    error_description: '',
    request_id: 'r',
  };
  const { context, request } = await visit(401, ended);
  const page = await thrown(loadTask(TASK_ID, request, context));
  expect(page.status).toBe(401);
  expect(context.cookies.join()).toContain('clearframe_');
});

const face = (identitySimilarity: number | null, restored = identitySimilarity !== null): FaceReport => ({
  box: { x: 0, y: 0, width: 10, height: 10 },
  confidence: 0.9,
  restored,
  identitySimilarity,
});
const recipe = (aiPipeline: Recipe['aiPipeline'], leftAlone?: Recipe['leftAlone']): Recipe => ({
  version: RECIPE_VERSION,
  aiPipeline,
  models: [],
  leftAlone,
});
const FACES = { faceEnhance: { model: 'base' } } as const;
const BOTH = { ...FACES, backgroundEnhance: { model: 'base' } } as const;

test('tells how many marks were repaired, or that there were none', () => {
  const repair = { repair: { model: 'base' } } as const;
  const found = { ...recipe(repair), damage: { area: 0.01, count: 7 } };
  expect(notesOf(found, [])).toEqual([{ kind: 'repaired', marks: 7 }]);
  expect(notesOf({ ...found, aiPipeline: {} }, [])).toEqual([]);
  expect(notesOf(recipe(repair, ['repair']), [])).toEqual([{ kind: 'repairLeft' }]);
});

test('counts the faces that were restored', () => {
  expect(notesOf(recipe(BOTH), [face(0.9), face(null)])).toEqual([{ kind: 'restored', faces: 1 }]);
  expect(notesOf(recipe(FACES), [face(null, true), face(null)])).toEqual([{ kind: 'restored', faces: 1 }]);
});

test('does not say that a face was restored whose change is invisible', () => {
  expect(notesOf(recipe(FACES), [face(0.95, false)])).toEqual([{ kind: 'facesLeft' }]);
});

test.each([
  [BOTH, 'sharp'],
  [{ colorEnhance: { model: 'teal', strength: 0.01 } }, 'other'],
  [{ upscale: { factor: 1 } }, 'none'],
] as const)('says why a picture was left as it is: %j', (aiPipeline, reason) => {
  expect(untouchedReasonOf(recipe(aiPipeline))).toBe(reason);
});

test('notes tools that were requested but not applied', () => {
  expect(notesOf(recipe(BOTH, ['face_enhance']), [])).toEqual([{ kind: 'cleaned' }]);
  expect(notesOf(recipe(FACES, ['face_enhance']), [])).toEqual([{ kind: 'noFace' }]);
  expect(notesOf(recipe(BOTH, ['face_enhance', 'background_enhance']), [])).toEqual([{ kind: 'noFace' }]);
  expect(notesOf(recipe(BOTH, ['face_enhance']), [face(null)])).toEqual([{ kind: 'facesLeft' }]);
  expect(
    notesOf(recipe({ faceLifting: { model: 'glam' }, bokeh: { model: 'low' } }, ['face_lifting', 'bokeh']), []),
  ).toEqual([{ kind: 'liftingLeft' }, { kind: 'bokehLeft' }]);
});

test('says that restoration was held back where it would have changed a face', () => {
  const held: FaceReport = { ...face(null), heldBack: true };
  expect(notesOf(recipe(FACES), [face(0.9), held])).toEqual([
    { kind: 'restored', faces: 1 },
    { kind: 'facesHeldBack' },
  ]);
  expect(notesOf(recipe(FACES, ['face_enhance']), [held])).toEqual([{ kind: 'facesHeldBack' }]);
});

test('says that a face was kept whose restoration would have been hard to recognize', () => {
  const kept: FaceReport = { ...face(0.3, false), keptOriginal: true };
  expect(notesOf(recipe(FACES), [face(0.9), kept])).toEqual([{ kind: 'restored', faces: 1 }, { kind: 'facesKept' }]);
  expect(notesOf(recipe(FACES, ['face_enhance']), [kept])).toEqual([{ kind: 'facesKept' }]);
});

test('has no note about faces when face enhancement was not requested', () => {
  expect(notesOf(recipe({}), [])).toEqual([]);
  expect(notesOf(recipe({ colorEnhance: { model: 'teal' } }), [])).toEqual([]);
});
