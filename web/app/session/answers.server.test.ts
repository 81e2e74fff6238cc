import { data, redirect, type ServerBuild } from '@remix-run/node';
import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../../test/backend';
import { contextFor } from '../../test/context';
import { memberCookie } from '../../test/users';
import { ApiError } from '../http/api.server';
import { withAnswers } from './answers.server';

type Handler = () => unknown;

/** What Remix gets of a route's loader or action. */
async function answerOf(kind: 'loader' | 'action', handler: Handler, accept = 'text/html') {
  const build = { routes: { page: { id: 'page', module: { [kind]: handler } } } } as unknown as ServerBuild;
  const module = withAnswers(build).routes.page?.module as unknown as Record<typeof kind, (args: unknown) => unknown>;
  const context = contextFor(await unusedAddress());
  const headers = { accept, cookie: await memberCookie(context) };
  const request = new Request('http://clearframe.test/account?v=b', { headers });
  try {
    return { answer: await module[kind]({ request, context, params: {} }), cookies: context.cookies };
  } catch (thrown) {
    return { answer: thrown, cookies: context.cookies };
  }
}

const fail = (code: 'users.not_authorized' | 'queue.full') => () => {
  throw ApiError.of(code, 'req-1');
};

const cachePolicyOf = ({ answer }: { readonly answer: unknown }) => (answer as Response).headers.get('cache-control');

describe('an error is', () => {
  it('the login for a page whose session has ended', async () => {
    const { answer, cookies } = await answerOf('loader', fail('users.not_authorized'));
    expect((answer as Response).headers.get('location')).toBe('/login?returnTo=%2Faccount%3Fv%3Db&v=b');
    expect(cookies.join()).toContain('_ended_');
  });

  it('an error page with the time of a retry', async () => {
    const page = await answerOf('action', fail('queue.full'));
    const answer = page.answer as Response;
    expect(await answer.json()).toEqual({ code: 'queue.full', requestId: 'req-1' });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(cachePolicyOf(page)).toBe('no-store');
  });

  it('JSON for a script, which keeps the session for its page', async () => {
    const { answer, cookies } = await answerOf('action', fail('users.not_authorized'), 'application/json');
    expect((answer as Response).status).toBe(401);
    expect(await (answer as Response).json()).toMatchObject({ problem: { code: 'users.not_authorized' } });
    expect(cookies).toEqual([]);
  });

  it('internal when it is no error of the API', async () => {
    const { answer } = await answerOf('loader', () => Promise.reject(new Error('bug')));
    expect(await (answer as Response).json()).toMatchObject({ code: 'service.internal' });
  });
});

it('stores no response unless its route allows it', async () => {
  expect(cachePolicyOf(await answerOf('loader', () => Response.json({})))).toBe('no-store');
  expect(cachePolicyOf(await answerOf('loader', () => Promise.reject(redirect('/'))))).toBe('no-store');
  const headers = { 'cache-control': 'public, max-age=60' };
  expect(cachePolicyOf(await answerOf('loader', () => Response.json({}, { headers })))).toBe('public, max-age=60');
});

it('shows the answer to a form again when the visitor goes back to it', async () => {
  const policy = { headers: new Headers({ 'cache-control': 'private, no-cache' }) };
  expect((await answerOf('action', () => ({ problem: null }))).answer).toEqual(data({ problem: null }, policy));
  const refused = await answerOf('action', () => data({ problem: null }, 422));
  expect(refused.answer).toEqual(data({ problem: null }, { status: 422, ...policy }));
  const { answer } = await answerOf('action', () => data({}, { headers: { 'cache-control': 'no-store' } }));
  expect(new Headers((answer as ReturnType<typeof data>).init?.headers).get('cache-control')).toBe('no-store');
});
