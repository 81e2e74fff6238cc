import { API_KEY_HEADER, pathOf, ROUTES, type RouteSpec, userRoutes } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, startApi, type TestApi } from '../../test/support/application.js';
import {
  documentationOf,
  documentedAnswers,
  type OpenApi,
  type Operation,
} from '../../test/support/hostile/documentation.js';
import { HOSTILE_PARAMETERS, HostileBodies } from '../../test/support/hostile/values.js';

type Headers = Readonly<Record<string, string>>;

let api: TestApi;
let documentation: OpenApi;
let bodies: HostileBodies;
let headersOf: (route: RouteSpec) => Headers;
/** A finished upload of the caller, so that requests get past 'not found'. */
let ids: Record<string, string>;
const UNLIMITED = '1000000';

beforeAll(async () => {
  api = await startApi({
    LIMIT_WRITES_PER_MINUTE: UNLIMITED,
    LIMIT_READS_PER_MINUTE: UNLIMITED,
    LIMIT_TILES_PER_MINUTE: UNLIMITED,
    LIMIT_EVENTS_PER_MINUTE: UNLIMITED,
  });
  documentation = await documentationOf(api);
  bodies = new HostileBodies(documentation.components.schemas);
  const owner = await api.business();
  const { body: key } = await owner.post('/plugin-keys').expect(201);
  const asKey: Headers = { [API_KEY_HEADER]: key.key };
  const asOwner: Headers = { authorization: `Bearer ${owner.token}`, 'x-secret-menu-password': STAFF_PASSWORD };
  headersOf = ({ allow }) => (typeof allow === 'object' && 'key' in allow ? asKey : asOwner);
  const upload = await owner.upload();
  ids = { taskId: upload.task_id, bulkUploadId: upload.bulk_upload_id, provider: 'stripe', kind: 'marketing' };
});
afterAll(() => api.stop());

/** They end or replace the session that the others need. */
const ENDING: readonly RouteSpec[] = [userRoutes.logout, userRoutes.renewSession, userRoutes.deleteCurrentUser];
const templateOf = (route: RouteSpec): string => pathOf(route).replace(/:(\w+)/g, '{$1}');
const ALL = ROUTES.filter((route) => !ENDING.includes(route)).map(
  (route) => [`${route.method} ${templateOf(route)}`, route] as const,
);

const operationOf = (route: RouteSpec): Operation => {
  const operation = documentation.paths[templateOf(route)]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`undocumented: ${route.path}`);
  return operation;
};
const fill = (template: string): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '11111111-1111-4111-8111-111111111111');

/** Paths and queries of a route with hostile parameters. */
function* hostileAddresses(route: RouteSpec): Generator<string> {
  const template = templateOf(route);
  for (const { name, in: place } of operationOf(route).parameters ?? []) {
    for (const value of HOSTILE_PARAMETERS) {
      if (place === 'path') yield fill(template.replace(`{${name}}`, value));
      if (place === 'query') yield `${fill(template)}?${name}=${value}`;
    }
    if (place === 'query') yield `${fill(template)}?${name}=1&${name}=2&${name}[x]=3&${name}[]=4`;
  }
}

async function answerTo(route: RouteSpec, url: string, body: unknown): Promise<string> {
  const { statusCode, headers, payload } = await api.app.inject({
    method: route.method,
    url,
    headers: { ...headersOf(route), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  if (statusCode < 400) return String(statusCode);
  const code = headers['content-type'] === 'application/problem+json' ? JSON.parse(payload).error_code : 'no problem';
  return `${statusCode} ${code}`;
}

describe('hostile requests are answered as documented:', () => {
  it.each(ALL)('%s', async (_name, route) => {
    const operation = operationOf(route);
    const schema = operation.requestBody?.content['application/json']?.schema;
    const sample = schema && bodies.sampleOf(schema);
    const requests = [
      ...Array.from(schema ? bodies.of(schema) : [], (body) => ({ url: fill(templateOf(route)), body })),
      ...Array.from(hostileAddresses(route), (url) => ({ url, body: sample })),
    ];
    const answers = documentedAnswers(operation);
    const others: string[] = [];
    for (const { url, body } of requests) {
      const answer = await answerTo(route, url, body);
      if (!answers.has(answer)) others.push(`${answer} to ${url} ${JSON.stringify(body)?.slice(0, 300)}`);
    }
    expect(others).toEqual([]);
  });

  it('and leave the caller logged in', async () => {
    expect(await answerTo(userRoutes.getCurrentUser, '/api/v1/web/users/@me', undefined)).toBe('200');
  });
});
