import { afterEach, expect, it, vi } from 'vitest';
import { fetchView } from './use-refreshed';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Whether a request with these answers settles, and how often it reloads the page. */
async function outcomeOf(...statuses: number[]) {
  vi.useFakeTimers();
  const reload = vi.fn();
  vi.stubGlobal('window', { location: { reload } });
  vi.stubGlobal('fetch', async () => Response.json({}, { status: statuses.shift() ?? 200 }));
  const settled = vi.fn();
  fetchView('/tasks/1').then(settled, settled);
  await vi.runAllTimersAsync();
  return { settles: settled.mock.calls.length === 1, reloads: reload.mock.calls.length };
}

it.each([
  ['the session has ended', [401, 401]],
  ['the subject is deleted', [404]],
])('when %s, the page is reloaded once and not polled any more', async (_, statuses) => {
  expect(await outcomeOf(...statuses)).toEqual({ settles: false, reloads: 1 });
});

it.each([
  ['a login has replaced the session', [401, 200]],
  ['the server is overloaded', [503]],
])('when %s, the page stays', async (_, statuses) => {
  expect(await outcomeOf(...statuses)).toEqual({ settles: true, reloads: 0 });
});
