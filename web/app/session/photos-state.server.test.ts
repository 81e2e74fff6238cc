import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../test/backend';
import { contextFor, nextContext } from '../../test/context';
import { ADA } from '../../test/users';
import { task } from '../../test/wire';
import type { PhotosState } from './photos-state';
import { photosStateOf, rememberRunning } from './photos-state.server';
import { setGuestCookie } from './session.server';
import { startMemberSession } from './visitor.server';

const page = (cookie: string) => new Request('http://clearframe.test/', { headers: { cookie } });
const pairOf = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';

/** A browser with its cookies, and a backend with the given newest tasks; null: an unavailable one. */
async function startBrowser(tasks: { status: string }[] | null, isMember = false) {
  const state = { tasks };
  const backend = await startBackend((_request, response) => {
    if (state.tasks) sendJson(response, 200, { data: state.tasks.map((each) => task(each)), has_more: false });
    else sendProblem(response, 'service.unavailable');
  });
  const context = contextFor(backend.url);
  const jar = new Map<string, string>();
  const store = (cookies: readonly string[]) => {
    for (const cookie of cookies) jar.set(pairOf(cookie).split('=', 1)[0] ?? '', pairOf(cookie));
  };
  const request = () => page([...jar.values()].join('; '));
  if (isMember) await startMemberSession('token', ADA, { request: page(''), context });
  else await setGuestCookie('token', context);
  store(context.cookies);
  return {
    calls: () => backend.requests.length,
    setTasks: (next: { status: string }[] | null) => {
      state.tasks = next;
    },
    start: async () => {
      const set = nextContext(context);
      await rememberRunning({ request: request(), context: set });
      store(set.cookies);
    },
    visit: async (isSeen = false): Promise<PhotosState> => {
      const set = nextContext(context);
      const shown = await photosStateOf({ request: request(), context: set }, isSeen);
      store(set.cookies);
      return shown;
    },
  };
}

test('a guest without photos causes no call', async () => {
  const browser = await startBrowser([{ status: 'processing' }]);
  expect(await browser.visit()).toEqual({ kind: 'none' });
  expect(browser.calls()).toBe(0);
});

test('a member’s photos are asked for once in a session', async () => {
  const browser = await startBrowser([{ status: 'completed' }], true);
  for (let visit = 0; visit < 3; visit += 1) expect(await browser.visit()).toEqual({ kind: 'none' });
  expect(browser.calls()).toBe(1);
});

test('a running photo is counted until it is ready, and announced until it is seen', async () => {
  const browser = await startBrowser([{ status: 'processing' }, { status: 'reprocessing' }, { status: 'failed' }]);
  await browser.start();
  expect(await browser.visit()).toEqual({ kind: 'running', count: 2 });
  browser.setTasks([{ status: 'completed' }]);
  expect(await browser.visit()).toEqual({ kind: 'ready' });
  expect(await browser.visit()).toEqual({ kind: 'ready' });
  expect(await browser.visit(true)).toEqual({ kind: 'none' });
  expect(await browser.visit()).toEqual({ kind: 'none' });
  expect(browser.calls()).toBe(2);
});

test('a failed photo is not announced as ready', async () => {
  const browser = await startBrowser([{ status: 'failed' }]);
  await browser.start();
  expect(await browser.visit()).toEqual({ kind: 'none' });
});

test('an unavailable backend keeps the last state', async () => {
  const browser = await startBrowser(null);
  await browser.start();
  expect(await browser.visit()).toEqual({ kind: 'running', count: 1 });
  browser.setTasks([{ status: 'completed' }]);
  expect(await browser.visit()).toEqual({ kind: 'ready' });
});
