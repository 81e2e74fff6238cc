import { defineRoute } from '@clearframe/contract';
import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { AppError } from '../errors/app-error.js';
import { Input, Route } from './route.decorator.js';

const oldRoute = defineRoute({
  method: 'GET',
  path: '/tests/old',
  tag: 'tasks',
  summary: 'Do as before',
  description: 'Answers as it always has.',
  allow: 'anyone',
  query: z.object({ fails: z.stringbool().default(false) }),
  responses: { 200: z.object({ done: z.boolean() }) },
  errors: ['tasks.not_found'],
  deprecated: { since: '2026-11-28', sunset: '2027-05-31' },
});

@Controller()
class OldController {
  @Route(oldRoute)
  read(@Input() { query }: { query: { fails: boolean } }) {
    if (query.fails) throw new AppError('tasks.not_found');
    return { done: true };
  }
}

@Module({ controllers: [OldController] })
class OldModule {}

let api: TestApi;
beforeAll(async () => {
  api = await startApi({}, [OldModule]);
});
afterAll(() => api.stop());

it.each([
  ['an answer', '', 200],
  ['an error', '?fails=true', 404],
])('%s of a deprecated route says since when, until when, and where it is explained', async (_what, query, status) => {
  const { headers } = await api.http.get(`/api/v1/web/tests/old${query}`).expect(status);
  // RFC 9745: a date of structured fields, in seconds.
  expect(headers.deprecation).toBe('@1795824000');
  expect(headers.sunset).toBe('Mon, 31 May 2027 00:00:00 GMT');
  expect(headers.link).toBe(`<${api.url}/developers/changelog#2026-11-28>; rel="deprecation"; type="text/html"`);
});

it('other routes say nothing', async () => {
  const { headers } = await api.http.get('/api/v1/web/users/@me').expect(401);
  expect(headers).not.toHaveProperty('deprecation');
  expect(headers).not.toHaveProperty('sunset');
});
