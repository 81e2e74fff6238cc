import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openErrorReports } from './error-reports.ts';
import { createLogger } from './http/request-context.ts';

it('sends errors of the log without what they say of visitors', async () => {
  const events: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    events.push(JSON.parse((await request.toArray()).join('').split('\n')[2] ?? ''));
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const reports = await openErrorReports(`http://public@127.0.0.1:${port}/42`, 'production');
  // As requests have.
  const logger = createLogger('fatal', reports.hooks).child({ requestId: 'r-1', clientAddress: '10.1.2.3' });
  const error = new Error('fetch of https://api.example/in?signature=1 failed for ada@example.org');
  logger.fatal({ err: error, path: '/s/AbC' }, 'unhandled error');
  await expect.poll(() => events.length).toBe(1);
  await reports.stop();
  expect(events).toMatchObject([
    {
      level: 'fatal',
      environment: 'production',
      tags: { service: 'web', requestId: 'r-1', log: 'unhandled error' },
      exception: { values: [{ type: 'Error', value: 'fetch of <url> failed for <address>' }] },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/ada@|10\.1\.2\.3|AbC|signature/);
});
