import { afterEach, expect, it, vi } from 'vitest';
import { send } from './browser-client';
import { readShown } from './use-data';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function stubBrowser(...responses: (Response | Error)[]) {
  const reload = vi.fn();
  const fetch = vi.fn(async (): Promise<Response> => {
    const response = responses.shift() ?? Response.json({});
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal('window', { location: { pathname: '/result', search: '?taskId=1', reload } });
  vi.stubGlobal('fetch', fetch);
  return { reload, fetch };
}

const withStatus = (status: number) => Response.json({}, { status });

/** Whether a request with these answers settles, and how often it reloads the page. */
async function outcomeOf(request: () => Promise<unknown>, ...statuses: number[]) {
  vi.useFakeTimers();
  const { reload } = stubBrowser(...statuses.map(withStatus));
  const settled = vi.fn();
  request().then(settled, settled);
  await vi.runAllTimersAsync();
  return { settles: settled.mock.calls.length === 1, reloads: reload.mock.calls.length };
}

const readTask = () => readShown('/tasks/1');

it.each([
  ['the session has ended', readTask, [401, 401]],
  ['the subject is deleted', readTask, [404]],
  ['a form’s session has ended', () => send('/share/link', {}), [401]],
])('when %s, the page is reloaded once and not polled any more', async (_, request, statuses) => {
  expect(await outcomeOf(request, ...statuses)).toEqual({ settles: false, reloads: 1 });
});

it.each([
  ['a login has replaced the session', [401, 200]],
  ['the server is overloaded', [503]],
])('when %s, the page stays', async (_, statuses) => {
  expect(await outcomeOf(readTask, ...statuses)).toEqual({ settles: true, reloads: 0 });
});

it('sends the texts of a form as a script’s', async () => {
  const { fetch } = stubBrowser(Response.json({ link: null }));
  const form = new FormData();
  form.set('taskId', '1');
  form.set('file', new File([], 'sea.jpg'));
  expect(await send('/share/link', form)).toEqual({ body: { link: null }, problem: null });
  expect(fetch).toHaveBeenCalledWith('/share/link', expect.objectContaining({ method: 'POST' }));
  const [[, init] = []] = fetch.mock.calls as unknown as [string, RequestInit][];
  expect(String(init?.body)).toBe('taskId=1');
  expect(new Headers(init?.headers).get('accept')).toBe('application/json');
});

it.each([
  ['the API’s', Response.json({ problem: { code: 'queue.full', requestId: '1' } }, { status: 503 }), 'queue.full'],
  ['a proxy’s page', new Response('<html>', { status: 502 }), 'service.unavailable'],
  ['a proxy’s JSON', Response.json({ message: 'busy' }, { status: 502 }), 'service.unavailable'],
  ['no response', new TypeError('Failed to fetch'), 'service.unavailable'],
])('a problem has one shape: %s', async (_, response, code) => {
  stubBrowser(response);
  expect(await send('/share/link', {})).toMatchObject({ body: null, problem: { code } });
});
