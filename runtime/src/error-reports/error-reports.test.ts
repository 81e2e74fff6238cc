import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ConfigurationError } from '../config/index.js';
import { createLog } from '../logging/index.js';
import { ErrorReports } from './index.js';

/** Takes envelopes as Sentry does. */
async function startService(): Promise<{ dsn: string; paths: string[]; events: Record<string, unknown>[] }> {
  const [paths, events]: [string[], Record<string, unknown>[]] = [[], []];
  const server = createServer(async (request, response) => {
    const lines = (await request.toArray()).join('').split('\n');
    paths.push(request.url ?? '');
    events.push(JSON.parse(lines[2] ?? ''));
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { dsn: `http://public@127.0.0.1:${(server.address() as AddressInfo).port}/42`, paths, events };
}

const lines: string[] = [];
const logWith = (reports: ErrorReports) =>
  createLog('test', 'info', { write: (line) => lines.push(line) }, reports).child({ requestId: 'r-1' });

it('sends errors of the log with their place and ids, and nothing of visitors', async () => {
  const service = await startService();
  const reports = await ErrorReports.open({ SENTRY_DSN: service.dsn, CLEARFRAME_ENV: 'production' });
  const log = logWith(reports);
  const error = Object.assign(new TypeError('no account of ada@example.org at 10.1.2.3'), { parameters: ['Ada'] });
  log.error({ err: error, code: 'service.internal', userId: 'Ada' }, 'request failed');
  log.fatal('the disk is gone');
  log.warn({ err: error }, 'not sent');
  await expect.poll(() => service.events.length).toBe(2);
  await reports.onApplicationShutdown();
  expect(service.paths).toEqual([expect.stringContaining('/api/42/envelope/'), expect.stringContaining('public')]);
  const [first, second] = service.events;
  expect(first).toMatchObject({
    level: 'error',
    environment: 'production',
    tags: { service: 'test', requestId: 'r-1', code: 'service.internal', log: 'request failed' },
    exception: { values: [{ type: 'TypeError', value: 'no account of <address> at <ip>' }] },
  });
  expect(JSON.stringify(first)).toContain('error-reports.test.ts');
  expect(second).toMatchObject({ level: 'fatal', message: 'the disk is gone' });
  expect(JSON.stringify(service.events)).not.toMatch(/Ada|ada@|10\.1\.2\.3/);
  expect(lines).toHaveLength(3);
});

it('is off without an address', async () => {
  const reports = await ErrorReports.open({});
  expect(reports.hooks).toEqual({});
  await reports.onApplicationShutdown();
});

it('a service that does not answer changes nothing of the log', async () => {
  const reports = await ErrorReports.open({ SENTRY_DSN: 'http://public@127.0.0.1:1/42' });
  const before = lines.length;
  logWith(reports).error('failed');
  await reports.onApplicationShutdown();
  expect(lines).toHaveLength(before + 1);
});

it('an address that is none stops the start', async () => {
  await expect(ErrorReports.open({ SENTRY_DSN: 'sentry' })).rejects.toThrow(ConfigurationError);
});
