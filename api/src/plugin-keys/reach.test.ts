import { pathOf, ROUTES, type RouteSpec, requiresCaller } from '@clearframe/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';

/** Every route that admits a key, among those that require a caller. */
const REACHED = [
  'GET /users/@me',
  'GET /users/@me/video-limits',
  'GET /usage',
  'POST /plugin-keys/activate',
  'POST /analyze',
  'POST /enhance',
  'POST /upload-tokens',
  'POST /tasks/bulk-upload',
  'POST /tasks/bulk-upload/:bulkUploadId',
  'POST /tasks/bulk-upload/:bulkUploadId/process',
  'POST /tasks/bulk-upload/:bulkUploadId/reprocess',
  'POST /tasks/bulk-upload/:bulkUploadId/convert-input',
  'GET /tasks/bulk-upload/:bulkUploadId',
  'POST /tasks/bulk-upload/:bulkUploadId/archive',
  'GET /tasks/bulk-upload/:bulkUploadId/archive',
  'GET /tasks/bulk-upload/:bulkUploadId/archive/parts',
  'GET /tasks/archive',
  'GET /tasks',
  'GET /tasks/:taskId',
  'POST /tasks/:taskId/upload',
  'POST /tasks/:taskId/cancel',
  'PUT /tasks/:taskId/export',
  'POST /tasks/:taskId/convert',
  'POST /tasks/:taskId/changes',
  'POST /tasks/:taskId/tiles',
  'POST /tasks/:taskId/looks',
  'GET /tasks/:taskId/looks',
  'POST /tasks/:taskId/share',
  'DELETE /tasks/delete',
  'DELETE /sharings/:sharingId',
  'POST /video-tasks',
  'POST /video-tasks/:videoTaskId/process',
  'POST /video-tasks/:videoTaskId/reprocess',
  'POST /video-tasks/:videoTaskId/cancel',
  'GET /video-tasks/:videoTaskId',
];

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
let api: TestApi;
let client: KeyClient;
beforeAll(async () => {
  api = await startApi();
  client = await KeyClient.of(api, await api.business());
});
afterAll(() => api.stop());

const CALLED = ROUTES.filter(requiresCaller).map((route) => [`${route.method} ${route.path}`, route] as const);

function call(route: RouteSpec) {
  const path = pathOf(route).replace(':provider', 'stripe').replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
  const pending = api.http[METHODS[route.method]](path).set(client.headers);
  return refusalOf(route.method === 'GET' ? pending : pending.send({}));
}

it.each(CALLED)('a plug-in key on %s', async (name, route) => {
  const [status, code] = await call(route);
  const isRefused = status === 403 && code === 'plugin_keys.not_permitted';
  expect({ status, code, isRefused }).toMatchObject({ isRefused: !REACHED.includes(name) });
  expect(status).not.toBe(401);
});

it('reaches no route that does not exist', () => {
  const names: readonly string[] = CALLED.map(([name]) => name);
  expect(REACHED.filter((name) => !names.includes(name))).toEqual([]);
});
